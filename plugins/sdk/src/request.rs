//! What the client asked for, read as the contract says. Contract: pipeline §4, §5, file_ops §1.2.

use std::borrow::Cow;
use std::mem;

use serde_json::Value;

use crate::bulk::Upload;
use crate::path::{self, Path, TWIN};
use crate::{InBody, Member, Problem, Request, member, number};

impl Request {
    /// The value of the `index`-th `{name}` segment of the endpoint's path.
    pub fn path_param(&self, index: usize) -> Option<&str> {
        self.path_params.get(index).map(String::as_str)
    }

    /// The same where it is an integer, by the rules of a query; `name` is the segment's, for messages. One beyond the
    /// range of `i64` is that range's end.
    ///
    /// # Errors
    ///
    /// `ValueError` if it is no integer.
    pub fn path_integer(&self, index: usize, name: &str) -> Result<i64, Problem> {
        let whole = self.path_param(index).and_then(number::integer);
        whole.ok_or_else(|| Problem::value_error([name, " must be an integer"].concat()))
    }

    /// A query parameter. A blank value counts as none.
    pub fn query(&self, name: &str) -> Option<&str> {
        lookup(&self.query, name).next().filter(|value| !value.is_empty())
    }

    /// A query parameter that is a boolean: `true`, `yes` and `1` in any case are true, all else, and none, is false.
    pub fn query_flag(&self, name: &str) -> bool {
        self.query(name).is_some_and(|text| ["true", "yes", "1"].iter().any(|word| text.eq_ignore_ascii_case(word)))
    }

    /// A query parameter that is an integer. One beyond the range of `i64` is that range's end.
    ///
    /// # Errors
    ///
    /// `ValueError` if it is no integer.
    pub fn query_integer(&self, name: &str) -> Result<Option<i64>, Problem> {
        self.query_number(name, number::integer, " must be an integer")
    }

    /// A query parameter that is a number, perhaps infinite, never NaN.
    ///
    /// # Errors
    ///
    /// `ValueError` if it is no number.
    pub fn query_float(&self, name: &str) -> Result<Option<f64>, Problem> {
        self.query_number(name, number::float, " must be a number")
    }

    /// A path from the query parameter `name` or its twin `name_b64`. None: neither is there.
    ///
    /// # Errors
    ///
    /// `ValueError` if both are there or the twin is no base64.
    pub fn query_path(&self, name: &str) -> Result<Option<Path<'_>>, Problem> {
        let is_twin = |key: &str| key.strip_suffix(TWIN) == Some(name);
        let twin = self.query.iter().find(|(key, value)| is_twin(key) && !value.is_empty());
        path::from_texts(name, self.query(name).map(Into::into), twin.map(|(_, value)| value.as_str()))
    }

    /// The same path, which must be there.
    ///
    /// # Errors
    ///
    /// `invalid_path` if it is not.
    pub fn require_path(&self, name: &str) -> Result<Path<'_>, Problem> {
        path::required(name, self.query_path(name)?)
    }

    /// A header's first line; `name` is lower-case. None also if the manifest doesn't ask for it.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header_lines(name).next()
    }

    /// All lines of a header.
    pub fn header_lines<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        lookup(&self.headers, name)
    }

    /// Members of the JSON object in the body ([`crate::members`]). No body, or one not read yet, is the empty object.
    ///
    /// # Errors
    ///
    /// `bad_body` if the body is no JSON object.
    pub fn members<const N: usize>(&self, names: [&str; N]) -> Result<[Option<Member<'_>>; N], Problem> {
        member::members(self.json_text(), names)
    }

    /// All members of the JSON object in the body, in their order. Of equal names the last value counts, in the first one's
    /// place. No body, or one not read yet, is the empty object.
    ///
    /// # Errors
    ///
    /// `bad_body` if the body is no JSON object.
    pub fn entries(&self) -> Result<Vec<(Cow<'_, str>, Member<'_>)>, Problem> {
        member::entries(self.json_text())
    }

    /// The whole JSON body.
    ///
    /// # Errors
    ///
    /// `bad_body` if it can't be read or is nested deeper than 512 levels.
    pub fn json(&self) -> Result<Value, Problem> {
        member::value(self.json_text())
    }

    /// The text of the JSON object in the body, and the bulk member that the manifest names, if it was a string.
    pub fn into_json_aside(self) -> (Vec<u8>, Option<Upload>) {
        match self.body {
            InBody::Json(text) => (text, None),
            InBody::JsonAside((text, bulk)) => (text, Some(bulk)),
            InBody::None | InBody::Unread(_) => (b"{}".to_vec(), None),
        }
    }

    /// The body that nobody has read yet. None: the manifest doesn't say `body = "unread"`. Afterwards there is none.
    pub fn take_unread(&mut self) -> Option<Upload> {
        match mem::replace(&mut self.body, InBody::None) {
            InBody::Unread(upload) => Some(upload),
            other => {
                self.body = other;
                None
            }
        }
    }

    fn json_text(&self) -> &[u8] {
        match &self.body {
            InBody::Json(text) | InBody::JsonAside((text, _)) => text,
            InBody::None | InBody::Unread(_) => b"{}",
        }
    }

    fn query_number<T>(&self, name: &str, read: fn(&str) -> Option<T>, what: &str) -> Result<Option<T>, Problem> {
        let Some(text) = self.query(name) else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| Problem::value_error([name, what].concat()))
    }
}

fn lookup<'a>(pairs: &'a [(String, String)], name: &str) -> impl Iterator<Item = &'a str> {
    pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use crate::{InBody, Request};

    fn request(query: &[(&str, &str)], body: InBody) -> Request {
        let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Request {
            path_params: vec!["one".to_owned()],
            query: owned(query),
            headers: owned(&[("if-match", "a"), ("if-match", "b")]),
            body,
        }
    }

    #[test]
    fn flags_are_three_words_in_any_case() {
        for (text, value) in
            [("true", true), ("YES", true), ("1", true), ("on", false), ("0", false), ("", false), ("true ", false)]
        {
            assert_eq!(request(&[("x", text)], InBody::None).query_flag("x"), value, "{text:?}");
        }
        assert!(!request(&[], InBody::None).query_flag("x"));
    }

    #[test]
    fn numbers_are_none_when_absent_and_an_error_when_wrong() {
        let request = request(&[("a", " 1_0 "), ("b", "x"), ("c", ""), ("d", "2.5")], InBody::None);
        assert_eq!(request.query_integer("a").unwrap(), Some(10));
        assert_eq!(request.query_integer("b").unwrap_err().code(), None);
        assert_eq!(request.query_integer("c").unwrap(), None);
        assert!(request.query_integer("d").is_err());
        assert_eq!(request.query_float("d").unwrap(), Some(2.5));
        assert!(request.query_float("b").is_err());
    }

    #[test]
    fn a_path_or_its_twin_is_taken_from_the_query() {
        assert_eq!(request(&[("path", "/a")], InBody::None).query_path("path").unwrap().unwrap(), &b"/a"[..]);
        assert_eq!(request(&[("path_b64", "L2H/")], InBody::None).query_path("path").unwrap().unwrap(), &b"/a\xff"[..]);
        assert_eq!(request(&[("path_b6", "x"), ("xpath", "y")], InBody::None).query_path("path").unwrap(), None);
        assert_eq!(request(&[], InBody::None).require_path("path").unwrap_err().code(), Some("invalid_path"));
        assert!(request(&[("path_b64", "L2H")], InBody::None).query_path("path").is_err());
        assert!(request(&[("path", "/a"), ("path_b64", "L2E=")], InBody::None).query_path("path").is_err());
    }

    #[test]
    fn headers_may_have_several_lines() {
        let request = request(&[], InBody::None);
        assert_eq!(request.header("if-match"), Some("a"));
        assert_eq!(request.header_lines("if-match").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(request.header("range"), None);
        assert_eq!((request.path_param(0), request.path_param(1)), (Some("one"), None));
    }

    #[test]
    fn a_segment_may_be_a_number() {
        let read = |text: &str| {
            let request = Request { path_params: vec![text.to_owned()], ..request(&[], InBody::None) };
            request.path_integer(0, "pid").ok()
        };
        for (text, value) in [("7", Some(7)), ("+5", Some(5)), ("1_0", Some(10)), (" 7 ", Some(7)), ("-1", Some(-1))] {
            assert_eq!(read(text), value, "{text:?}");
        }
        for text in ["", "x", "1.5", "0x1"] {
            assert_eq!(read(text), None, "{text:?}");
        }
        assert!(request(&[], InBody::None).path_integer(1, "pid").is_err());
    }

    #[test]
    fn no_body_is_the_empty_object() {
        let [a] = request(&[], InBody::None).members(["a"]).map(|found| found.map(|member| member.is_some())).unwrap();
        assert!(!a);
        let json = request(&[], InBody::Json(br#"{"a":1}"#.to_vec()));
        let [a] = json.members(["a"]).unwrap();
        assert_eq!(a.unwrap().integer(), Some(1));
        assert!(request(&[], InBody::None).take_unread().is_none());
        assert_eq!(json.json().unwrap(), serde_json::json!({"a": 1}));
        assert_eq!(request(&[], InBody::Json(b"[]".to_vec())).members(["a"]).unwrap_err().code(), Some("bad_body"));
    }
}
