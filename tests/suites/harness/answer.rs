//! Answers as they came.

use serde_json::Value;

/// One answer.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) version: String,
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = String::from_utf8_lossy(&self.body[..self.body.len().min(2000)]);
        write!(formatter, "{} {}\n{:#?}\n{shown}", self.version, self.status, self.headers)
    }
}

impl Answer {
    /// Parse a head; the body comes later.
    pub(crate) fn of_head(head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        let mut lines = text.split("\r\n");
        let (version, rest) = lines.next().unwrap().split_once(' ').unwrap();
        let headers = lines
            .filter(|line| !line.is_empty())
            .map(|line| line.split_once(':').unwrap_or_else(|| panic!("no header: {line:?}")))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let status = rest[..3].parse().unwrap();
        Self { version: version.to_owned(), status, headers, body: Vec::new() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|cause| panic!("{cause}: {self:?}"))
    }

    /// The JSON of a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The JSON of an error with this status and code, with what every error of an endpoint has (decision D2).
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.failed(status);
        assert_eq!(body["code"], code, "{self:?}");
        body
    }

    /// The JSON of an error with this status, whatever its code.
    #[track_caller]
    pub(crate) fn failed(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        let body = self.json();
        let message = body["error"].as_str().or(body["error"]["message"].as_str());
        assert!(message.is_some_and(|text| !text.is_empty()), "no message: {self:?}");
        assert!(body["type"].is_string() && body["endpoint"].is_string(), "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json; charset=utf-8"), "{self:?}");
        body
    }

    /// The JSON of an error with this status and type.
    #[track_caller]
    pub(crate) fn failed_as(&self, status: u16, kind: &str) -> Value {
        let body = self.failed(status);
        assert_eq!(body["type"], kind, "{self:?}");
        body
    }
}
