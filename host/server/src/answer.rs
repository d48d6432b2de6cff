//! Answers as HTTP: the only place that knows statuses, and the only one that writes error bodies.

mod body;
mod envelope;
mod events;
mod headers;
mod problem;
mod socket;
mod status;

use abxd_http::Peer;
use abxd_plugins::{Answer, AnswerBody};
use axum::body::Body;
use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, SERVER};
use http::{Response, StatusCode};

pub use envelope::Place;
pub use socket::{SWITCHED, no_handshake, not_a_socket_method, switched};

use crate::audit::Record;
use crate::pipeline::{Permit, Refusal, Unmatched};
use body::Tracked;
use events::Events;

/// What the `Server` header says.
const PRODUCT: HeaderValue = HeaderValue::from_static(concat!("abxd/", env!("CARGO_PKG_VERSION")));

/// The content type of JSON answers.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// A handler's answer with the permit that it was made under.
#[derive(Debug)]
pub struct Granted {
    /// Given back when the answer has been written.
    pub permit: Permit,
    /// The answer.
    pub answer: Answer,
    /// Who gets it.
    pub peer: Option<Peer>,
}

/// The answer to a request that matched no endpoint. It is not audited.
#[must_use]
pub fn unmatched(unmatched: &Unmatched) -> Response<Body> {
    respond(StatusCode::NOT_FOUND, Some(JSON), Body::from(envelope::unmatched(unmatched)))
}

/// The answer of the terminal port while nothing serves terminals.
#[must_use]
pub fn absent_socket() -> Response<Body> {
    let refusal = Refusal::Absent("group terminal can't be served: this build has no component for it".into());
    let body = envelope::refused(&refusal, &Place::socket());
    respond(status::of(&refusal), Some(JSON), Body::from(body))
}

/// Status and code of a refusal.
#[must_use]
pub fn verdict(refusal: &Refusal) -> (u16, Option<String>) {
    (status::of(refusal).as_u16(), status::code(refusal))
}

/// Write the outcome of a request. Its audit line follows when the body has been written, or has failed to be.
#[must_use]
pub fn write(outcome: Result<Granted, Refusal>, place: Place, mut record: Record) -> Response<Body> {
    let mut refusal = match outcome {
        Ok(outcome) => match headers::checked(&outcome.answer) {
            Ok(checked) => return granted(outcome, checked, record),
            Err(defect) => bad_answer(&place, &defect),
        },
        Err(refusal) => match problem::check(&refusal) {
            Ok(()) => refusal,
            Err(defect) => bad_answer(&place, &defect),
        },
    };
    status::log(&place.endpoint, &refusal);
    let status = status::of(&refusal);
    record.ends(status.as_u16(), status::code(&refusal));
    let body = envelope::refused(&refusal, &place);
    let body = match &mut refusal {
        Refusal::Fault(fault) if !fault.texts.is_empty() => {
            Tracked::refusal(envelope::with_texts(body, std::mem::take(&mut fault.texts)), record)
        }
        _ => Tracked::whole(body, None, record),
    };
    let mut response = respond(status, Some(JSON), Body::new(body));
    if let Refusal::Exhausted(exhausted) = &refusal {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(exhausted.retry_after()));
    }
    if let Refusal::Fault(fault) = &refusal {
        headers::add(&fault.headers, response.headers_mut());
    }
    response
}

/// The handler is at fault; what it said is for the log only.
fn bad_answer(place: &Place, defect: &dyn std::fmt::Display) -> Refusal {
    tracing::error!(endpoint = &*place.endpoint, %defect, "the plugin's answer can't be sent");
    Refusal::BadAnswer
}

fn granted(granted: Granted, mut checked: headers::Checked, mut record: Record) -> Response<Body> {
    let Granted { permit, answer, peer } = granted;
    if let AnswerBody::Events(_) = answer.body {
        // A stream that has begun has this status (contract: pipeline §8), whatever its plugin thinks of it.
        checked.status = StatusCode::OK;
    }
    record.ends(checked.status.as_u16(), None);
    let empty = match &answer.body {
        AnswerBody::Empty => true,
        // A 202 with nothing to say is sent without a body (contract: pipeline §2).
        AnswerBody::Bytes(bytes) => checked.status == StatusCode::ACCEPTED && bytes == b"{}",
        AnswerBody::Source(_) | AnswerBody::Segments(_) | AnswerBody::Events(_) => false,
    };
    let body = match answer.body {
        AnswerBody::Events(stream) => {
            let mut response = respond(checked.status, None, Body::new(Events::new(stream, peer, permit, record)));
            response.headers_mut().extend(events::headers());
            return response;
        }
        _ if empty => Tracked::whole(Vec::new(), Some(permit), record),
        body => Tracked::new(body, permit, record),
    };
    let kind = (!empty && !checked.headers.contains_key(CONTENT_TYPE)).then_some(JSON);
    let mut response = respond(checked.status, kind, Body::new(body));
    response.headers_mut().extend(checked.headers);
    response
}

fn respond(status: StatusCode, kind: Option<HeaderValue>, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(SERVER, PRODUCT);
    if let Some(kind) = kind {
        response.headers_mut().insert(CONTENT_TYPE, kind);
    }
    response
}
