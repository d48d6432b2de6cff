//! Group `core`, the one native group: it must answer when a plugin is broken, and it describes what only the host knows.

mod capabilities;
mod check;
mod health;

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;

use abxd_plugins::{Answer, AnswerBody, Fault, Outcome, Problem, Request};
use serde::Serialize;

use crate::pipeline::Permit;

pub use check::{Question, Verdict, judge};

/// A handler inside the host. Like every handler it can be called only with a permit.
pub trait Native: Debug + Send + Sync {
    /// Handle one request.
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a>;
}

/// The future of a native handler.
pub type Handling<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// The handler of an endpoint of this group.
#[must_use]
pub fn handler(id: &str) -> Option<Arc<dyn Native>> {
    match id {
        "health" => Some(Arc::new(health::Health)),
        "capabilities" => Some(Arc::new(capabilities::Capabilities)),
        "capabilities_check" => Some(Arc::new(check::Check)),
        _ => None,
    }
}

fn json(value: &impl Serialize) -> Outcome {
    match serde_json::to_vec(value) {
        Ok(text) => Ok(Answer { status: 200, headers: Vec::new(), body: AnswerBody::Bytes(text) }),
        Err(cause) => Err(fault(500, "RuntimeError", &format!("the answer can't be written: {cause}"))),
    }
}

fn fault(status: u16, kind: &str, message: &str) -> Problem {
    Problem::Fault(Box::new(Fault {
        status,
        kind: kind.to_owned(),
        code: None,
        message: message.to_owned(),
        fields: Vec::new(),
        texts: Vec::new(),
        headers: Vec::new(),
    }))
}
