//! Answers that can't be sent as they are. The query says what is in them.

use abx_sdk::failures::Denial;
use abx_sdk::{Fault, OutBody, Problem, Request, Response, Segment, bulk};

fn number(request: &Request, name: &str, usual: i64) -> Result<i64, Problem> {
    Ok(request.query_integer(name)?.unwrap_or(usual))
}

fn status(request: &Request, usual: i64) -> Result<u16, Problem> {
    Ok(u16::try_from(number(request, "status", usual)?).unwrap_or(u16::MAX))
}

fn count(request: &Request) -> Result<usize, Problem> {
    Ok(usize::try_from(number(request, "count", 1)?).unwrap_or_default())
}

fn text(request: &Request, name: &str) -> String {
    request.query(name).unwrap_or_default().to_owned()
}

/// A header as the query gives it.
fn header(request: &Request) -> Vec<(String, String)> {
    match request.query("value") {
        Some(value) => vec![(text(request, "name"), value.to_owned())],
        None => Vec::new(),
    }
}

pub(crate) fn answer(request: &Request) -> Result<Response, Problem> {
    let body = match request.query("body") {
        Some(body) => OutBody::Bytes(body.into()),
        None => OutBody::None,
    };
    Ok(Response { status: status(request, 200)?, headers: header(request), body })
}

pub(crate) fn fault(request: &Request) -> Result<Response, Problem> {
    let fields = request.query("field").map(|field| (field.to_owned(), text(request, "json")));
    Err(Fault {
        status: status(request, 400)?,
        kind: request.query("kind").unwrap_or("Hostile").to_owned(),
        code: request.query("code").map(str::to_owned),
        message: "the plugin's own words".to_owned(),
        fields: fields.into_iter().collect(),
        texts: Vec::new(),
        headers: header(request),
    }
    .into())
}

pub(crate) fn denial(request: &Request) -> Result<Response, Problem> {
    Err(Denial { code: text(request, "code"), message: "denied by the plugin itself".to_owned() }.into())
}

/// One event.
pub(crate) fn events(request: &Request) -> Result<Response, Problem> {
    let events = bulk::events(&[bulk::Event { name: "said".to_owned(), data: "{}".to_owned() }]);
    Ok(Response { status: status(request, 200)?, headers: header(request), body: OutBody::Events(events) })
}

/// So many bytes at once.
pub(crate) fn bytes(request: &Request) -> Result<Response, Problem> {
    let body = vec![b'x'; count(request)?];
    Ok(Response { status: 200, headers: Vec::new(), body: OutBody::Bytes(body) })
}

/// So many pieces of no bytes.
pub(crate) fn segments(request: &Request) -> Result<Response, Problem> {
    let segments = (0..count(request)?).map(|_| Segment::Bytes(Vec::new())).collect();
    Ok(Response::segments(segments))
}

/// So many headers.
pub(crate) fn headers(request: &Request) -> Result<Response, Problem> {
    let headers = (0..count(request)?).map(|index| (["x-", &index.to_string()].concat(), "v".to_owned())).collect();
    Ok(Response { status: 200, headers, body: OutBody::None })
}
