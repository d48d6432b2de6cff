//! What goes into a call of a component and what comes out of it.

mod answer;
mod call;
mod client;
mod convert;
mod events;
mod guards;
mod source;
mod trail;
mod upload;

pub use answer::{Answer, AnswerBody, Denial, Fault, Outcome, Problem, Segment};
pub use call::{Call, Endpoint, InBody, Request};
pub use client::Client;
pub(crate) use convert::lift;
pub use events::{BrokenOff, Event, EventStream};
pub use guards::ProgramGuards;
pub use source::Source;
pub use trail::Trail;
pub use upload::Upload;
