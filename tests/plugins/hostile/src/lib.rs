//! A plugin that does everything it must not: one endpoint for each kind of misbehaviour.

mod answers;
mod handles;
mod memory;
mod noise;
mod time;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Hostile;

impl Plugin for Hostile {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "hostile_loop" => time::compute(),
            "hostile_spin_clock" => time::spin_on_the_clock(),
            "hostile_spin_stat" => time::spin_on_stat(),
            "hostile_sleep" => time::sleep(),
            "hostile_recurse" => time::recurse(),
            "hostile_panic" => time::panic(),
            "hostile_exit" => std::process::exit(0),
            "hostile_grow" => memory::grow(),
            "hostile_keep" => memory::keep(request),
            "hostile_leak" => handles::leak_without_end(&request),
            "hostile_leak_some" => handles::leak_some(&request),
            "hostile_forge" => handles::forge(&request),
            "hostile_read" => handles::read(&request),
            "hostile_events" => answers::events(&request),
            "hostile_answer" => answers::answer(&request),
            "hostile_fault" => answers::fault(&request),
            "hostile_denial" => answers::denial(&request),
            "hostile_bytes" => answers::bytes(&request),
            "hostile_segments" => answers::segments(&request),
            "hostile_headers" => answers::headers(&request),
            "hostile_log" => noise::log(&request),
            "hostile_stderr" => noise::stderr(&request),
            _ => Ok(Response::empty(204)),
        }
    }
}

abx_sdk::export!(Hostile);
