//! What a handler may say in the head of an answer.

use abxd_plugins::Answer;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// Headers that are the host's: framing, connection, and what speaks for the whole server.
const HOSTS: [&str; 13] = [
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "server",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "www-authenticate",
];

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
}

/// Check the head of an answer.
pub(super) fn checked(answer: &Answer) -> Result<Checked, Defect> {
    let status = StatusCode::from_u16(answer.status).ok().filter(|status| (200..400).contains(&status.as_u16()));
    let status = status.ok_or(Defect::Status(answer.status))?;
    let mut headers = HeaderMap::with_capacity(answer.headers.len());
    for (name, value) in &answer.headers {
        let (name, value) = header(name, value)?;
        headers.append(name, value);
    }
    Ok(Checked { status, headers })
}

/// Add the headers of a fault. One that can't be sent is left out: the fault itself matters more.
pub(super) fn add(pairs: &[(String, String)], headers: &mut HeaderMap) {
    for (name, value) in pairs {
        match header(name, value) {
            Ok((name, value)) => {
                headers.append(name, value);
            }
            Err(defect) => tracing::warn!(%defect, "a header of a plugin's fault is left out"),
        }
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Defect> {
    let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Defect::Name(name.escape_debug().to_string()))?;
    if HOSTS.contains(&parsed.as_str()) {
        return Err(Defect::Hosts(name.to_owned()));
    }
    let value = HeaderValue::from_str(value).map_err(|_| Defect::Value(name.to_owned()))?;
    Ok((parsed, value))
}

#[cfg(test)]
mod tests {
    use abxd_plugins::{Answer, AnswerBody};

    use super::checked;

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
        ] {
            assert!(!check(200, name, value), "{name}: {value}");
        }
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
