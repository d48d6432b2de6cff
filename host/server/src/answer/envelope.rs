//! Error bodies (contract: pipeline §7).

use std::sync::Arc;

use abxd_plugins::{Segment, Source};
use abxd_policy::Exhausted;
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::status;
use crate::pipeline::{Refusal, Route, Unmatched};

/// Which endpoint an error is of.
#[derive(Debug, Clone)]
pub struct Place {
    /// The endpoint's id.
    pub endpoint: Arc<str>,
    /// Whether its path begins with `/v1/`: errors there carry the OpenAI object (decision D1).
    openai: bool,
}

impl Place {
    /// The place of a matched request.
    #[must_use]
    pub fn of(route: &Route) -> Self {
        let facts = &route.served().entry.facts;
        Self { endpoint: facts.id.clone(), openai: facts.path.starts_with("/v1/") }
    }

    /// The terminal socket.
    #[must_use]
    pub fn socket() -> Self {
        Self { endpoint: "pty_connect".into(), openai: false }
    }
}

/// No endpoint matched: these two members and no others.
pub(super) fn unmatched(unmatched: &Unmatched) -> Vec<u8> {
    text(&json!({"error": unmatched.to_string(), "type": "ValueError"}))
}

/// An endpoint refused or failed.
pub(super) fn refused(refusal: &Refusal, place: &Place) -> Vec<u8> {
    let mut body = Map::new();
    let (message, code) = (refusal.to_string(), status::code(refusal));
    let error = match place.openai {
        true => json!({
            "message": message,
            "type": openai_type(status::of(refusal)),
            "param": null,
            "code": code,
        }),
        false => message.into(),
    };
    body.insert("error".to_owned(), error);
    body.insert("type".to_owned(), status::kind(refusal).into());
    if let Some(code) = code {
        body.insert("code".to_owned(), code.into());
    }
    body.insert("endpoint".to_owned(), (*place.endpoint).into());
    body.extend(details(refusal));
    text(&Value::Object(body))
}

/// The members that only some causes have.
fn details(refusal: &Refusal) -> Map<String, Value> {
    let members = match refusal {
        Refusal::Disabled(origin) => {
            let detail = origin.detail.as_deref().map(|detail| ("rule_detail", detail.into()));
            [("rule", (*origin.rule).into())].into_iter().chain(detail).collect()
        }
        Refusal::MissingScope { scope, identity } => {
            vec![("scope", scope.to_string().into()), ("identity", (**identity).into())]
        }
        Refusal::Exhausted(exhausted @ (Exhausted::Rate { .. } | Exhausted::Concurrency)) => {
            vec![("retry_after", exhausted.retry_after().into())]
        }
        Refusal::TooLarge { limit } => vec![("limit", (*limit).into())],
        Refusal::Fault(fault) => {
            let own = fault.fields.iter().filter(|(name, _)| !RESERVED.contains(&name.as_str()));
            let parsed = own.filter_map(|(name, text)| Some((name.as_str(), serde_json::from_str(text).ok()?)));
            parsed.collect()
        }
        _ => Vec::new(),
    };
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The same body with more members: strings whose text is the host's.
pub(super) fn with_texts(mut body: Vec<u8>, texts: Vec<(String, Source)>) -> Vec<Segment> {
    let mut segments = Vec::with_capacity(2 * texts.len() + 1);
    // The bracket that closes the object comes last.
    body.pop();
    for (name, text) in texts.into_iter().filter(|(name, _)| !RESERVED.contains(&name.as_str())) {
        body.extend_from_slice(format!(",{}:\"", Value::from(name)).as_bytes());
        segments.extend([Segment::Bytes(std::mem::replace(&mut body, b"\"".to_vec())), Segment::JsonText(text)]);
    }
    body.push(b'}');
    segments.push(Segment::Bytes(body));
    segments
}

/// Members that a handler's own fields can't replace.
const RESERVED: [&str; 4] = ["error", "type", "code", "endpoint"];

fn openai_type(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    }
}

fn text(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use abxd_plugins::{Segment, Source};

    use super::with_texts;

    #[test]
    fn texts_stand_behind_the_other_members() {
        let source = |text: &'static str| Source::memory(text.as_bytes().into());
        let texts = [("a\"b", "one"), ("type", "never"), ("c", "two")];
        let texts = texts.map(|(name, text)| (name.to_owned(), source(text))).into();
        let written = with_texts(br#"{"error":"e"}"#.to_vec(), texts).into_iter().map(|segment| match segment {
            Segment::Bytes(bytes) => bytes,
            Segment::JsonText(mut source) => source.take(99).unwrap(),
            other => panic!("{other:?}"),
        });
        assert_eq!(written.collect::<Vec<_>>().concat(), br#"{"error":"e","a\"b":"one","c":"two"}"#);
    }
}
