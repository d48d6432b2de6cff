//! Requests into the component's types, answers out of them.

use wasmtime::component::{Resource, ResourceTable};

use super::{Answer, AnswerBody, Denial, Fault, InBody, Outcome, Problem, Request, Segment, Source, Upload};
use crate::bindings::exports::abx::plugin::handler as wit;

impl Request {
    /// Move the request into a component's hands: what stays in the host goes into `table`.
    pub(crate) fn lower(self, table: &mut ResourceTable) -> wasmtime::Result<wit::Request> {
        let mut push = |upload: Upload| table.push(upload);
        let body = match self.body {
            InBody::None => wit::InBody::None,
            InBody::Json(text) => wit::InBody::Json(text),
            InBody::JsonAside(text, aside) => wit::InBody::JsonAside((text, push(aside)?)),
            InBody::Unread(upload) => wit::InBody::Unread(push(upload)?),
        };
        Ok(wit::Request { path_params: self.path_params, query: self.query, headers: self.headers, body })
    }
}

/// Take a component's answer, and what it refers to, out of its hands.
pub(crate) fn lift(
    answered: Result<wit::Response, wit::Problem>,
    table: &mut ResourceTable,
) -> wasmtime::Result<Outcome> {
    Ok(match answered {
        Ok(response) => Ok(Answer {
            status: response.status,
            headers: response.headers,
            body: match response.body {
                wit::OutBody::None => AnswerBody::Empty,
                wit::OutBody::Bytes(bytes) => AnswerBody::Bytes(bytes),
                wit::OutBody::Source(source) => AnswerBody::Source(table.delete(source)?),
                wit::OutBody::Segments(segments) => {
                    let lifted = segments.into_iter().map(|segment| lift_segment(segment, table));
                    AnswerBody::Segments(lifted.collect::<Result<_, _>>()?)
                }
                wit::OutBody::Events(events) => AnswerBody::Events(table.delete(events)?),
            },
        }),
        Err(wit::Problem::Denied(denial)) => {
            Err(Problem::Denied(Denial { code: denial.code, message: denial.message }))
        }
        Err(wit::Problem::Fault(fault)) => {
            let texts = fault.texts.into_iter().map(|(name, text)| Ok((name, table.delete(text)?)));
            Err(Problem::Fault(Box::new(Fault {
                status: fault.status,
                kind: fault.kind,
                code: fault.code,
                message: fault.message,
                fields: fault.fields,
                texts: texts.collect::<wasmtime::Result<_>>()?,
                headers: fault.headers,
            })))
        }
    })
}

fn lift_segment(segment: wit::Segment, table: &mut ResourceTable) -> wasmtime::Result<Segment> {
    let mut take = |source: Resource<Source>| table.delete(source);
    Ok(match segment {
        wit::Segment::Bytes(bytes) => Segment::Bytes(bytes),
        wit::Segment::Raw(source) => Segment::Raw(take(source)?),
        wit::Segment::Base64(source) => Segment::Base64(take(source)?),
        wit::Segment::JsonText(source) => Segment::JsonText(take(source)?),
    })
}
