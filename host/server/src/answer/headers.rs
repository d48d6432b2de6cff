//! What a handler may say in the head of an answer, and how its body may look.

use abxd_plugins::{Answer, AnswerBody};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// Most headers of one answer.
const MOST_HEADERS: usize = 64;

/// Most bytes of all their names and values.
const MOST_BYTES: usize = 32 << 10;

/// Most pieces of one body. Each is written on its own.
const MOST_SEGMENTS: usize = 1024;

/// Headers that are the host's: framing, connection, what speaks for the whole server, and what a proxy before it obeys.
const HOSTS: [&str; 18] = [
    "alt-svc",
    "clear-site-data",
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "server",
    "service-worker-allowed",
    "set-cookie",
    "strict-transport-security",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "www-authenticate",
    "x-sendfile",
];

/// What the names of more such headers begin with: cross-origin rules are the operator's (decision D13).
const HOSTS_PREFIXES: [&str; 2] = ["access-control-", "x-accel-"];

/// A head that can be sent.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
}

/// Why a head can't be sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum Defect {
    #[error("{0} is no status of an answer; errors are faults")]
    Status(u16),
    #[error("`{0}` is no header name")]
    Name(String),
    #[error("header `{0}` is the host's")]
    Hosts(String),
    #[error("header `{0}` has a value that can't be sent")]
    Value(String),
    #[error("its headers are more than {MOST_HEADERS}, or longer than {MOST_BYTES} bytes")]
    Headers,
    #[error("an answer with status {0} has no body")]
    Body(u16),
    #[error("its body has {0} pieces, more than {MOST_SEGMENTS}")]
    Segments(usize),
}

/// Check an answer.
pub(super) fn checked(answer: &Answer) -> Result<Checked, Defect> {
    let status = StatusCode::from_u16(answer.status).ok().filter(|status| (200..400).contains(&status.as_u16()));
    let status = status.ok_or(Defect::Status(answer.status))?;
    body(status, &answer.body)?;
    let bytes: usize = answer.headers.iter().map(|(name, value)| name.len().saturating_add(value.len())).sum();
    if answer.headers.len() > MOST_HEADERS || bytes > MOST_BYTES {
        return Err(Defect::Headers);
    }
    let mut headers = HeaderMap::with_capacity(answer.headers.len());
    for (name, value) in &answer.headers {
        let (name, value) = header(name, value)?;
        headers.append(name, value);
    }
    Ok(Checked { status, headers })
}

fn body(status: StatusCode, body: &AnswerBody) -> Result<(), Defect> {
    let is_empty = match body {
        AnswerBody::Empty => true,
        AnswerBody::Bytes(bytes) => bytes.is_empty(),
        AnswerBody::Segments(segments) if segments.len() > MOST_SEGMENTS => {
            return Err(Defect::Segments(segments.len()));
        }
        AnswerBody::Source(_) | AnswerBody::Segments(_) | AnswerBody::Events(_) => false,
    };
    let has_none = [StatusCode::NO_CONTENT, StatusCode::RESET_CONTENT, StatusCode::NOT_MODIFIED].contains(&status);
    if has_none && !is_empty { Err(Defect::Body(status.as_u16())) } else { Ok(()) }
}

/// Add the headers of a fault. One that can't be sent is left out: the fault itself matters more.
pub(super) fn add(pairs: &[(String, String)], headers: &mut HeaderMap) {
    let mut bytes = 0_usize;
    for (name, value) in pairs.iter().take(MOST_HEADERS) {
        bytes = bytes.saturating_add(name.len()).saturating_add(value.len());
        match header(name, value) {
            Ok(_) if bytes > MOST_BYTES => return,
            Ok((name, value)) => {
                headers.append(name, value);
            }
            Err(defect) => tracing::warn!(%defect, "a header of a plugin's fault is left out"),
        }
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Defect> {
    let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Defect::Name(name.escape_debug().to_string()))?;
    let is_hosts = |name: &str| HOSTS.contains(&name) || HOSTS_PREFIXES.iter().any(|start| name.starts_with(start));
    if is_hosts(parsed.as_str()) {
        return Err(Defect::Hosts(name.to_owned()));
    }
    let value = HeaderValue::from_str(value).map_err(|_| Defect::Value(name.to_owned()))?;
    Ok((parsed, value))
}

#[cfg(test)]
mod tests {
    use abxd_plugins::{Answer, AnswerBody, Segment};

    use super::{MOST_HEADERS, MOST_SEGMENTS, checked};

    fn check(status: u16, name: &str, value: &str) -> bool {
        let headers = vec![(name.to_owned(), value.to_owned())];
        checked(&Answer { status, headers, body: AnswerBody::Empty }).is_ok()
    }

    #[test]
    fn a_plugin_cannot_split_an_answer_or_speak_for_the_host() {
        assert!(check(200, "ETag", "\"x\""));
        for (name, value) in [
            ("x", "a\r\nSet-Cookie: b"),
            ("x\r\ny", "a"),
            ("x y", "a"),
            ("", "a"),
            ("Content-Length", "5"),
            ("transfer-Encoding", "chunked"),
            ("Set-Cookie", "a=b"),
            ("Server", "me"),
            ("Connection", "close"),
            ("Access-Control-Allow-Origin", "*"),
            ("X-Accel-Redirect", "/etc/shadow"),
        ] {
            assert!(!check(200, name, value), "{name}: {value}");
        }
    }

    #[test]
    fn an_answer_has_bounds() {
        let with = |count: usize, value: &str, body: AnswerBody| {
            let headers = (0..count).map(|index| (format!("x-{index}"), value.to_owned())).collect();
            checked(&Answer { status: 200, headers, body }).is_ok()
        };
        assert!(with(MOST_HEADERS, "v", AnswerBody::Empty) && !with(MOST_HEADERS + 1, "v", AnswerBody::Empty));
        assert!(!with(40_000, "v", AnswerBody::Empty), "more than a header map can hold");
        assert!(!with(1, &"v".repeat(32 << 10), AnswerBody::Empty));
        let pieces = |count| AnswerBody::Segments((0..count).map(|_| Segment::Bytes(Vec::new())).collect());
        assert!(with(0, "", pieces(MOST_SEGMENTS)) && !with(0, "", pieces(MOST_SEGMENTS + 1)));
    }

    #[test]
    fn some_statuses_have_no_body() {
        let with = |status, body: &[u8]| {
            let body = AnswerBody::Bytes(body.to_vec());
            checked(&Answer { status, headers: Vec::new(), body }).is_ok()
        };
        for status in [204, 205, 304] {
            assert!(with(status, b"") && !with(status, b"x"), "{status}");
        }
        assert!(with(200, b"x"));
    }

    #[test]
    fn an_answer_is_a_success_or_a_redirection() {
        for (status, fine) in
            [(99, false), (101, false), (200, true), (304, true), (400, false), (500, false), (1000, false)]
        {
            assert_eq!(check(status, "x-a", "b"), fine, "{status}");
        }
    }
}
