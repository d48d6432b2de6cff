//! JSON. Each value is taken as its raw text first, which tells where it stands and how a number was written, and is
//! then read one level at a time.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::place::Lines;
use super::{Entry, MAX_DEPTH, Node, Number, Place, SourceError, Value};

/// Reads one JSON text.
pub(super) fn read(text: &str) -> Result<Node, SourceError> {
    let reader = Reader { text, lines: Lines::of(text) };
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| SourceError::Syntax {
        place: Place { line: error.line().max(1), column: error.column().max(1) },
        message: message(&error),
    })?;
    reader.node(whole, MAX_DEPTH)
}

struct Reader<'a> {
    text: &'a str,
    lines: Lines,
}

impl<'a> Reader<'a> {
    fn node(&self, raw: &'a RawValue, depth: usize) -> Result<Node, SourceError> {
        let place = self.place(raw);
        let depth = depth.checked_sub(1).ok_or(SourceError::TooDeep { place })?;
        let text = raw.get();
        let value = match text.as_bytes().first() {
            Some(b'{') => Value::Object(self.entries(text, place, depth)?),
            Some(b'[') => {
                let items: Vec<&RawValue> = inner(text, place)?;
                Value::List(items.into_iter().map(|item| self.node(item, depth)).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Value::Text { text: inner(text, place)?, plain: false },
            Some(b't' | b'f') => Value::Bool(inner(text, place)?),
            Some(b'n') => Value::Null,
            _ if text.contains(['.', 'e', 'E']) => Value::Number(Number::Float(inner(text, place)?)),
            _ => Value::Number(Number::integer(text)),
        };
        Ok(Node { place, value })
    }

    fn entries(&self, text: &'a str, place: Place, depth: usize) -> Result<Vec<Entry>, SourceError> {
        let Entries(raw) = inner(text, place)?;
        let entry = |(key, value): (&'a RawValue, &'a RawValue)| {
            let key_place = self.place(key);
            Ok(Entry { key: inner(key.get(), key_place)?, key_place, node: self.node(value, depth)? })
        };
        raw.into_iter().map(entry).collect()
    }

    /// Raw values borrow from the text, so their address tells their offset.
    fn place(&self, raw: &RawValue) -> Place {
        self.lines.place(raw.get().as_ptr().addr() - self.text.as_ptr().addr())
    }
}

/// Reads a value inside the text. The whole text has passed the parser already; what can still fail are the escapes
/// and sizes that it does not look at while skipping.
fn inner<'a, T: Deserialize<'a>>(text: &'a str, place: Place) -> Result<T, SourceError> {
    serde_json::from_str(text).map_err(|error| SourceError::Syntax { place, message: message(&error) })
}

/// The parser's message without the place at its end.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

/// The keys and values of an object in their order, repeated ones included.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Entries(pairs))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}
