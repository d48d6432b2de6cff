//! One message, taken apart.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A session: the conversation with one target. None in its place is the conversation with the browser.
pub(crate) type SessionId = Arc<str>;

/// A message that the browser sent: a reply (`id`) or an event (`method`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Incoming<'a> {
    pub(super) id: Option<u64>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<Refused>,
}

/// The browser's error.
#[derive(Debug, Deserialize)]
pub(super) struct Refused {
    pub(super) code: i64,
    pub(super) message: String,
}

/// A message to the browser.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outgoing<'a, P> {
    pub(super) id: u64,
    pub(super) method: &'static str,
    pub(super) params: &'a P,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session_id: Option<&'a str>,
}

/// The id of a reply of which only the beginning was kept. Chromium writes it first.
pub(super) fn id_of(beginning: &[u8]) -> Option<u64> {
    let digits = beginning.strip_prefix(br#"{"id":"#)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Incoming, id_of};

    #[test]
    fn replies_and_events_are_told_apart() {
        let reply: Incoming<'_> = serde_json::from_str(r#"{"id":7,"result":{"a":1},"sessionId":"S"}"#).unwrap();
        assert_eq!((reply.id, reply.session_id.as_deref()), (Some(7), Some("S")));
        assert_eq!(reply.result.unwrap().get(), r#"{"a":1}"#);
        let event: Incoming<'_> = serde_json::from_str(r#"{"method":"Page.x","params":{}}"#).unwrap();
        assert_eq!((event.id, event.method.as_deref()), (None, Some("Page.x")));
        let error: Incoming<'_> = serde_json::from_str(r#"{"id":8,"error":{"code":-32000,"message":"no"}}"#).unwrap();
        assert_eq!(error.error.map(|error| (error.code, error.message)), Some((-32000, "no".to_owned())));
    }

    #[test]
    fn the_id_stands_at_the_beginning_of_a_reply() {
        assert_eq!(id_of(br#"{"id":12,"result":{"data":"iVBOR"#), Some(12));
        assert_eq!(id_of(br#"{"method":"Runtime.consoleAPICalled","#), None);
        assert_eq!(id_of(br#"{"id":12"#), None);
        assert_eq!(id_of(b""), None);
    }
}
