//! `limits` of a rule.

use super::at::At;
use super::error::{DocumentError, Problem};
use crate::limits::{LimitKey, LimitKind, LimitValue, Limits, Seconds, parse_size};
use crate::source::{Number, Value};

pub(super) fn limits(at: &At<'_>) -> Result<Limits, DocumentError> {
    let mut limits = Limits::default();
    for field in at.fields()? {
        let key = LimitKey::parse(field.name);
        let key = key.ok_or_else(|| at.unknown(&field, &LimitKey::ALL.map(LimitKey::as_str)))?;
        let value = match key.kind() {
            LimitKind::Size => LimitValue::Count(size(&field.at)?),
            LimitKind::Count => LimitValue::Count(field.at.count()?),
            LimitKind::Duration => LimitValue::Time(seconds(&field.at)?),
        };
        limits.set(key, value);
    }
    Ok(limits)
}

pub(super) fn size(at: &At<'_>) -> Result<u64, DocumentError> {
    match at.value() {
        Value::Text { text, .. } => parse_size(text).map_err(|error| at.error(error)),
        Value::Number(Number::Integer(_) | Number::Huge) => at.count(),
        _ => Err(at.expected("a size (a whole number of bytes, or a text like \"5MB\")")),
    }
}

pub(super) fn seconds(at: &At<'_>) -> Result<Seconds, DocumentError> {
    match at.value() {
        Value::Number(Number::Float(seconds)) if !seconds.is_finite() => Err(at.error(Problem::TooLarge)),
        Value::Number(Number::Float(seconds)) if *seconds <= 0.0 => Err(at.error(Problem::NotPositive)),
        Value::Number(Number::Float(seconds)) => Ok(Seconds::Float(*seconds)),
        Value::Number(Number::Integer(_) | Number::Huge) => at.count().map(Seconds::Whole),
        _ => Err(at.expected("a number of seconds")),
    }
}
