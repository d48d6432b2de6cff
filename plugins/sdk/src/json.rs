//! Writing JSON: compact, UTF-8, into one buffer.
//!
//! Objects and lists are filled inside closures, so that what is opened is also closed.

mod bulky;
mod text;

use crate::files::Timestamp;
use crate::{base64, time};

pub use bulky::Bulky;
pub use text::text;
use text::{must_escape, push_text};

/// One JSON object, as text. `capacity` is a guess at its length in bytes.
pub fn object(capacity: usize, fill: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity);
    fill_object(&mut out, fill);
    out
}

/// An object that is being written. Keys are the caller's own words: plain ASCII that needs no escape.
pub struct Object<'out> {
    out: &'out mut Vec<u8>,
    empty: bool,
}

impl Object<'_> {
    /// A member that is a string.
    #[inline]
    pub fn text(&mut self, key: &'static str, value: &str) {
        self.key(key);
        push_text(self.out, value);
    }

    /// The same with a key of somebody else's choice.
    pub fn named_text(&mut self, key: &str, value: &str) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        push_text(self.out, key);
        self.out.push(b':');
        push_text(self.out, value);
    }

    /// A member that is a string of bytes which need not be UTF-8.
    ///
    /// Bad bytes become U+FFFD; then, and only then, `<key>_b64` stands beside it with all bytes in base64. Contract:
    /// file_ops §1.6.
    #[inline]
    pub fn bytes(&mut self, key: &'static str, value: &[u8]) {
        match core::str::from_utf8(value) {
            Ok(value) => self.text(key, value),
            Err(_) => {
                self.text(key, &String::from_utf8_lossy(value));
                self.key(key);
                self.reopen_key(b"_b64\":\"");
                base64::push(self.out, value);
                self.out.push(b'"');
            }
        }
    }

    /// A member that is an integer.
    #[inline]
    pub fn integer(&mut self, key: &'static str, value: impl itoa::Integer) {
        self.key(key);
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// A member that is a number with a fraction. NaN and infinities become null. Contract: pipeline §2.
    #[inline]
    pub fn float(&mut self, key: &'static str, value: f64) {
        self.key(key);
        push_value(self.out, &value.into());
    }

    /// A member that is true or false.
    #[inline]
    pub fn flag(&mut self, key: &'static str, value: bool) {
        self.key(key);
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// A member that is null.
    #[inline]
    pub fn null(&mut self, key: &'static str) {
        self.key(key);
        self.out.extend_from_slice(b"null");
    }

    /// A member that is a point in time ([`time::push_iso`]).
    #[inline]
    pub fn time(&mut self, key: &'static str, value: Timestamp) {
        self.key(key);
        self.out.push(b'"');
        time::push_iso(self.out, value);
        self.out.push(b'"');
    }

    /// A member of any kind. NaN and infinities become null. Contract: pipeline §2.
    #[inline]
    pub fn value(&mut self, key: &'static str, value: &serde_json::Value) {
        self.key(key);
        push_value(self.out, value);
    }

    /// A member that is an object.
    #[inline]
    pub fn object(&mut self, key: &'static str, fill: impl FnOnce(&mut Object<'_>)) {
        self.key(key);
        fill_object(self.out, fill);
    }

    /// A member that is a list.
    #[inline]
    pub fn list(&mut self, key: &'static str, fill: impl FnOnce(&mut List<'_>)) {
        self.key(key);
        fill_list(self.out, fill);
    }

    // Inlined, so that the key's length is known and its bytes are stored, not copied.
    #[inline]
    fn key(&mut self, key: &'static str) {
        debug_assert!(!key.bytes().any(must_escape), "a key needs no escape: {key}");
        self.out.extend_from_slice(if self.empty { b"\"" } else { b",\"" });
        self.empty = false;
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// Continue the key that was just written: its last two bytes are `":`.
    fn reopen_key(&mut self, rest: &[u8]) {
        self.out.truncate(self.out.len().saturating_sub(2));
        self.out.extend_from_slice(rest);
    }
}

/// A list that is being written.
pub struct List<'out> {
    out: &'out mut Vec<u8>,
    empty: bool,
}

impl List<'_> {
    /// An item that is a string.
    pub fn text(&mut self, value: &str) {
        self.next();
        push_text(self.out, value);
    }

    /// An item that is an integer.
    pub fn integer(&mut self, value: impl itoa::Integer) {
        self.next();
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// An item of any kind.
    pub fn value(&mut self, value: &serde_json::Value) {
        self.next();
        push_value(self.out, value);
    }

    /// An item that is an object.
    pub fn object(&mut self, fill: impl FnOnce(&mut Object<'_>)) {
        self.next();
        fill_object(self.out, fill);
    }

    fn next(&mut self) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
    }
}

fn fill_object(out: &mut Vec<u8>, fill: impl FnOnce(&mut Object<'_>)) {
    out.push(b'{');
    fill(&mut Object { out, empty: true });
    out.push(b'}');
}

fn fill_list(out: &mut Vec<u8>, fill: impl FnOnce(&mut List<'_>)) {
    out.push(b'[');
    fill(&mut List { out, empty: true });
    out.push(b']');
}

fn push_value(out: &mut Vec<u8>, value: &serde_json::Value) {
    let start = out.len();
    // Writing a value into memory can't fail; if it did, the answer would still be JSON.
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

#[cfg(test)]
mod tests {
    use super::object;
    use crate::files::Timestamp;
    use serde_json::json;

    fn written(fill: impl FnOnce(&mut super::Object<'_>)) -> String {
        String::from_utf8(object(0, fill)).unwrap()
    }

    #[test]
    fn members_and_items_are_separated() {
        let text = written(|o| {
            o.text("a", "x");
            o.integer("b", -5_i64);
            o.integer("c", u64::MAX);
            o.flag("d", true);
            o.null("e");
            o.object("f", |_| {});
            o.list("g", |l| {
                l.object(|o| o.flag("h", false));
                l.text("i");
                l.integer(3_u32);
                l.value(&json!([1.5]));
            });
            o.float("m", 2.0);
            o.float("n", f64::NAN);
            o.list("j", |_| {});
            o.value("k", &json!({"l": null}));
        });
        let expected = r#"{"a":"x","b":-5,"c":18446744073709551615,"d":true,"e":null,"f":{},"g":[{"h":false},"i",3,[1.5]],"m":2.0,"n":null,"j":[],"k":{"l":null}}"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn bytes_have_a_twin_only_when_they_are_not_utf8() {
        assert_eq!(written(|o| o.bytes("name", "é".as_bytes())), r#"{"name":"é"}"#);
        let text = written(|o| {
            o.bytes("name", b"bad\xff.txt");
            o.flag("x", true);
        });
        assert_eq!(text, "{\"name\":\"bad\u{fffd}.txt\",\"name_b64\":\"YmFk/y50eHQ=\",\"x\":true}");
    }

    #[test]
    fn each_invalid_sequence_is_one_replacement_character() {
        let text = written(|o| o.bytes("n", b"\xe2\x89a\xff\xfe"));
        assert!(text.starts_with("{\"n\":\"\u{fffd}a\u{fffd}\u{fffd}\","), "{text}");
    }

    #[test]
    fn times_are_strings() {
        let time = Timestamp { seconds: 1_700_000_000, nanoseconds: 0 };
        assert_eq!(written(|o| o.time("modified", time)), r#"{"modified":"2023-11-14T22:13:20+00:00"}"#);
    }
}
