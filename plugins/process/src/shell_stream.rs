//! `shell_stream`: run, with each line as an event. Contract: process §3.

use abx_sdk::bulk::{self, Event};
use abx_sdk::failures::Failure;
use abx_sdk::{OutBody, Problem, Request, Response, json, process};

use crate::{command, failure, timeout};

pub(crate) fn shell_stream(request: &Request) -> Result<Response, Problem> {
    let [line, cwd, twin, env] = request.members(command::MEMBERS)?;
    let [time] = request.members(["timeout"])?;
    let command = command::read(&command::line(line)?, cwd, twin, env)?;
    let events = match process::stream(&command, timeout::options(time)) {
        Ok(events) => events,
        Err(Failure::Os(error)) => bulk::events(&[unstarted(&error.message)]),
        Err(other) => return Err(failure::of_command(other)),
    };
    Ok(Response { status: 200, headers: Vec::new(), body: OutBody::Events(events) })
}

/// The only event of a command that could not be started.
fn unstarted(message: &str) -> Event {
    let data = ["{\"error\":", &json::text(message), "}"].concat();
    Event { name: "error".to_owned(), data }
}

#[cfg(test)]
mod tests {
    use super::unstarted;

    #[test]
    fn a_command_that_does_not_start_is_one_event() {
        let event = unstarted("no such \"program\"");
        assert_eq!((&*event.name, &*event.data), ("error", r#"{"error":"no such \"program\""}"#));
    }
}
