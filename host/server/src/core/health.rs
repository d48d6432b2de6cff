//! `GET /health`.

use abxd_plugins::{Answer, AnswerBody, Request};

use super::{Handling, Native};
use crate::pipeline::Permit;

/// Liveness. Looks at nothing, so that it answers while everything else is busy (decision D11).
#[derive(Debug)]
pub(super) struct Health;

impl Native for Health {
    fn handle<'a>(&'a self, _: &'a Permit, _: Request) -> Handling<'a> {
        let body = AnswerBody::Bytes(br#"{"status":"ok"}"#.to_vec());
        Box::pin(std::future::ready(Ok(Answer { status: 200, headers: Vec::new(), body })))
    }
}
