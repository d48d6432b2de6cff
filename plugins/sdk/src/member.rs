//! Members of a JSON object, found without parsing what is not asked for.
//!
//! Memory and stack don't grow with the text: what nobody asked for is skipped over, nesting included.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Problem, number};

/// Levels of nesting that [`value`] reads.
const DEPTH: usize = 512;

/// The members of the JSON object `text` that have these names, in their order. Of equal names the last one counts.
///
/// None: no member has the name.
///
/// # Errors
///
/// `bad_body` if `text` is no JSON object.
pub fn members<'a, const N: usize>(text: &'a [u8], names: [&str; N]) -> Result<[Option<Member<'a>>; N], Problem> {
    let text = without_mark(text);
    let mut json = serde_json::Deserializer::from_slice(text);
    let found = json.deserialize_map(Pick(names)).and_then(|found| json.end().map(|()| found));
    found.map_err(|_| Problem::bad_body("the body must be one JSON object"))
}

/// All members of the JSON object `text`, in their order. Of equal names the last value counts, in the first one's place.
///
/// # Errors
///
/// `bad_body` if `text` is no JSON object.
pub(crate) fn entries(text: &[u8]) -> Result<Vec<(Cow<'_, str>, Member<'_>)>, Problem> {
    let mut json = serde_json::Deserializer::from_slice(without_mark(text));
    let found = json.deserialize_map(All).and_then(|found| json.end().map(|()| found));
    found.map_err(|_| Problem::bad_body("the body must be one JSON object"))
}

/// The whole of a JSON text.
///
/// # Errors
///
/// `bad_body` if it is no JSON or nested deeper than 512 levels.
pub(crate) fn value(text: &[u8]) -> Result<Value, Problem> {
    let text = without_mark(text);
    if is_too_deep(text) {
        return Err(Problem::bad_body("the body is nested too deep"));
    }
    let mut json = serde_json::Deserializer::from_slice(text);
    json.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    value.map_err(|_| Problem::bad_body("the body is no JSON"))
}

/// One member's value, not parsed yet.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a>(&'a RawValue);

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// Any number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl<'a> Member<'a> {
    /// A whole JSON text as a value. None: it is none.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(text).ok().map(Self)
    }

    /// What the value is.
    pub fn kind(self) -> Kind {
        match self.0.get().as_bytes().first() {
            Some(b'"') => Kind::Text,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The string. None: it is something else, or has a lone surrogate, which no text can hold.
    pub fn text(self) -> Option<Cow<'a, str>> {
        let inner = self.0.get().strip_prefix('"')?.strip_suffix('"')?;
        if inner.as_bytes().contains(&b'\\') {
            serde_json::from_str(self.0.get()).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(inner))
        }
    }

    /// The items of the list, not parsed yet. None: it is something else.
    pub fn items(self) -> Option<Vec<Self>> {
        let items: Vec<&'a RawValue> = serde_json::from_str(self.0.get()).ok()?;
        Some(items.into_iter().map(Member).collect())
    }

    /// The members of the object in their order, not parsed yet. Of equal names the last value counts, in the first one's
    /// place. None: it is something else.
    pub fn entries(self) -> Option<Vec<(Cow<'a, str>, Self)>> {
        serde_json::Deserializer::from_str(self.0.get()).deserialize_map(All).ok()
    }

    /// What Python takes the value for where a boolean is wanted: `null`, `false`, zero and what is empty are false.
    pub fn is_truthy(self) -> bool {
        match self.kind() {
            Kind::Null => false,
            Kind::Boolean => self.boolean() == Some(true),
            // A number that is too large to be read is not zero.
            Kind::Number => self.0.get().parse() != Ok(0.0),
            Kind::Text => self.0.get() != r#""""#,
            Kind::List => self.items().is_none_or(|items| !items.is_empty()),
            Kind::Object => self.entries().is_none_or(|entries| !entries.is_empty()),
        }
    }

    /// The boolean. None: it is something else.
    pub fn boolean(self) -> Option<bool> {
        match self.0.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The integer. None: it is something else, `5.0` included, or beyond the range.
    pub fn integer(self) -> Option<i64> {
        self.0.get().parse().ok()
    }

    /// What `int()` makes of the value: a number without its fraction, a boolean as 1 or 0, text by the rules of a query.
    /// Beyond the range: its end. None: something else.
    pub fn whole(self) -> Option<i64> {
        match self.kind() {
            Kind::Boolean => self.boolean().map(i64::from),
            // A cast saturates, and integers beyond its range come this way too.
            #[expect(clippy::cast_possible_truncation, reason = "the fraction is to be cut")]
            Kind::Number => self.integer().or_else(|| self.float().map(|number| number as i64)),
            Kind::Text => number::integer(&self.text()?),
            Kind::Null | Kind::List | Kind::Object => None,
        }
    }

    /// What `float()` makes of the value: a number, a boolean as 1 or 0, text by the rules of a query; perhaps infinite.
    /// None: something else, or NaN.
    pub fn real(self) -> Option<f64> {
        match self.kind() {
            Kind::Boolean => self.boolean().map(|flag| f64::from(u8::from(flag))),
            Kind::Number => self.0.get().parse().ok(),
            Kind::Text => number::float(&self.text()?),
            Kind::Null | Kind::List | Kind::Object => None,
        }
    }

    /// The number, integer or not. None: it is something else.
    pub fn float(self) -> Option<f64> {
        if self.kind() == Kind::Number {
            self.0.get().parse().ok().filter(|value: &f64| value.is_finite())
        } else {
            None
        }
    }

    /// The value with all that is in it.
    ///
    /// # Errors
    ///
    /// `bad_body` if it has a lone surrogate or is nested deeper than 512 levels.
    pub fn value(self) -> Result<Value, Problem> {
        value(self.0.get().as_bytes())
    }

    /// The value's own JSON text.
    pub fn raw(self) -> &'a str {
        self.0.get()
    }
}

/// Without a byte order mark.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Whether brackets outside strings nest deeper than [`DEPTH`]: known before anything recurses.
fn is_too_deep(text: &[u8]) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return true;
        }
    }
    false
}

/// Collects the members that have one of the names.
struct Pick<'n, const N: usize>([&'n str; N]);

impl<'de, const N: usize> Visitor<'de> for Pick<'_, N> {
    type Value = [Option<Member<'de>>; N];

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(index) = map.next_key_seed(Name(&self.0))? {
            match index.and_then(|index| found.get_mut(index)) {
                Some(slot) => *slot = Some(Member(map.next_value()?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// Collects all members.
struct All;

impl<'de> Visitor<'de> for All {
    type Value = Vec<(Cow<'de, str>, Member<'de>)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Self::Value::new();
        let mut places = BTreeMap::new();
        while let Some(AnyName(name)) = map.next_key()? {
            let member = Member(map.next_value()?);
            let place = *places.entry(name.clone()).or_insert(found.len());
            match found.get_mut(place) {
                Some((_, value)) => *value = member,
                None => found.push((name, member)),
            }
        }
        Ok(found)
    }
}

/// Any key; borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct AnyName<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads a key as the position of that name, if it is one of them.
struct Name<'n>(&'n [&'n str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}

#[cfg(test)]
mod tests;
