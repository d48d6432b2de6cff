//! From a JSON value, or the text of a default, to an argument's value: Python's `str()`, `int()` and `float()`. Contract:
//! commands §4.

mod digits;
mod display;
mod float;
mod integer;
#[cfg(test)]
mod tests;

use abx_sdk::commands::{Kind, Value};
use abx_sdk::{Kind as Json, Member};

pub(crate) use display::display;

/// A member of the body as a value of that kind. None: it is not one.
pub(crate) fn member(kind: Kind, member: Member<'_>) -> Option<Value> {
    match kind {
        Kind::Text => display(member).map(Value::Text),
        Kind::Integer => integer(member).map(Value::Integer),
        Kind::Float => float(member).map(Value::Float),
        Kind::Boolean => boolean(&display(member)?).map(Value::Boolean),
        Kind::Texts => texts(member).map(Value::Texts),
    }
}

/// The text of a default as a value of that kind. None: it is not one.
pub(crate) fn default(kind: Kind, text: &str) -> Option<Value> {
    match kind {
        Kind::Text => Some(Value::Text(text.to_owned())),
        Kind::Integer => integer::of_text(text).map(Value::Integer),
        Kind::Float => float::of_text(text).map(Value::Float),
        Kind::Boolean => boolean(text).map(Value::Boolean),
        // The host registers no default that is none.
        Kind::Texts => {
            let whole = [r#"{"a":"#, text, "}"].concat();
            let [list] = abx_sdk::members(whole.as_bytes(), ["a"]).ok()?;
            texts(list?).map(Value::Texts)
        }
    }
}

fn integer(member: Member<'_>) -> Option<String> {
    match member.kind() {
        Json::Text => integer::of_text(&member.text()?),
        Json::Number if is_float(member) => Some(integer::of_float(member.float()?)),
        Json::Number => integer::of_literal(member.raw()),
        Json::Null | Json::Boolean | Json::List | Json::Object => None,
    }
}

fn float(member: Member<'_>) -> Option<f64> {
    match member.kind() {
        Json::Text => float::of_text(&member.text()?),
        // An integer that is too large for a float is none, and minus zero is no integer.
        Json::Number => member.float().map(|number| if is_float(member) { number } else { number + 0.0 }),
        Json::Boolean => member.boolean().map(|flag| f64::from(u8::from(flag))),
        Json::Null | Json::List | Json::Object => None,
    }
}

/// Whether a number was written with a fraction or an exponent.
fn is_float(number: Member<'_>) -> bool {
    number.raw().contains(['.', 'e', 'E'])
}

/// One of six words in any case. No letter beyond ASCII has one of theirs as its lower case.
fn boolean(text: &str) -> Option<bool> {
    let is_one_of = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match () {
        () if is_one_of(["true", "yes", "1"]) => Some(true),
        () if is_one_of(["false", "no", "0"]) => Some(false),
        () => None,
    }
}

fn texts(member: Member<'_>) -> Option<Vec<String>> {
    member.items()?.into_iter().map(|item| item.text().map(Into::into)).collect()
}
