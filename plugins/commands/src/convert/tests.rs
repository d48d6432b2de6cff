//! Every cell of the contract's table (commands §4), and the same against Python itself.

mod python;
mod table;

use abx_sdk::commands::{Kind, Value};

/// All kinds, in the order of the table's columns.
const KINDS: [Kind; 5] = [Kind::Text, Kind::Integer, Kind::Float, Kind::Boolean, Kind::Texts];

/// A JSON text as a value of a kind.
fn converted(kind: Kind, json: &str) -> Option<Value> {
    let body = [r#"{"a":"#, json, "}"].concat();
    let [member] = abx_sdk::members(body.as_bytes(), ["a"]).unwrap();
    super::member(kind, member.unwrap())
}

/// A value as one text, so that two are equal if they can't be told apart.
fn shown(value: Option<Value>) -> Option<String> {
    Some(match value? {
        Value::Text(text) => format!("text {text:?}"),
        Value::Integer(digits) => format!("integer {digits}"),
        Value::Float(number) if number.is_nan() => "float nan".to_owned(),
        Value::Float(number) => format!("float {:016x}", number.to_bits()),
        Value::Boolean(flag) => format!("boolean {flag}"),
        Value::Texts(texts) => format!("texts {texts:?}"),
    })
}
