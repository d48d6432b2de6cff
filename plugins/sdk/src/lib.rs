//! What a plugin needs to serve endpoints: the bindings of the interface and the contract's rules around them.
//!
//! A plugin implements [`Plugin`] and names its type to [`export!`]:
//!
//! ```
//! use abx_sdk::{Plugin, Problem, Request, Response, json};
//!
//! struct Greeter;
//!
//! impl Plugin for Greeter {
//!     fn handle(_op: &str, request: Request) -> Result<Response, Problem> {
//!         let [name] = request.members(["name"])?;
//!         let name = name.and_then(|member| member.text()).ok_or_else(|| Problem::value_error("name is required"))?;
//!         Ok(Response::json(json::object(64, |answer| answer.text("greeting", &name))))
//!     }
//! }
//!
//! abx_sdk::export!(Greeter);
//! ```
//!
//! The host has matched the route, authenticated the caller and checked the body before `handle` runs; every function of
//! the host modules ([`files`], [`bulk`], …) is judged by the host's guards when it is called. A plugin only imports the
//! interfaces whose functions it calls.
//!
//! "The contract" is the published wire contract of agent-sandbox-server, which abxd and its built-in groups speak: its
//! requests, answers, error types and codes. "Contract: file_ops §1.2" and the like name places in it, for whoever has it
//! at hand; it is not part of this repository, and what it says is repeated where it is named. A plugin of one's own need
//! not follow it, but its clients know these forms. `docs/http.md` has them from a caller's view.
//!
//! Nothing here panics, whatever the input. On targets other than WebAssembly everything compiles, so that a plugin's own
//! logic can be unit-tested; only the calls into the host are missing there and must not be made.

pub mod base64;
pub mod bindings;
pub mod json;
pub mod path;
pub mod time;
pub mod words;

mod errno;
mod member;
mod number;
mod plugin;
mod problem;
mod request;
mod response;

pub use bindings::abx::host::{
    browser, bulk, children, clock, code, commands, failures, files, git, log, process, rule, system, terminal,
};
pub use bindings::exports::abx::plugin::handler::{Fault, InBody, OutBody, Request, Response, Segment};
pub use member::{Kind, Member, members};
pub use plugin::Plugin;
pub use problem::Problem;
