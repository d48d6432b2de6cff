//! `params` of a rule.

use abxd_command::CommandPattern;
use abxd_glob::Glob;

use super::at::At;
use super::error::{DocumentError, Problem};
use crate::params::{ParamKey, ParamKind, ParamValue, Params};
use crate::source::{Number, Value};

pub(super) fn params(at: &At<'_>) -> Result<Params, DocumentError> {
    let mut params = Params::default();
    for field in at.fields()? {
        let key = ParamKey::parse(field.name);
        let key = key.ok_or_else(|| at.unknown(&field, &ParamKey::ALL.map(ParamKey::as_str)))?;
        params.set(key, value(&field.at, key.kind())?);
    }
    Ok(params)
}

fn value(at: &At<'_>, kind: ParamKind) -> Result<ParamValue, DocumentError> {
    match kind {
        ParamKind::Flag => at.boolean().map(ParamValue::Flag),
        ParamKind::Texts => at.list(At::owned_text).map(ParamValue::Texts),
        ParamKind::Numbers => at.list(number).map(ParamValue::Numbers),
        ParamKind::Globs => at.list(glob).map(ParamValue::Globs),
        ParamKind::Commands => at.list(command).map(ParamValue::Commands),
    }
}

/// An integer of any sign: no signal has a number beyond 64 bits.
fn number(at: &At<'_>) -> Result<i64, DocumentError> {
    match at.value() {
        Value::Number(Number::Integer(number)) => i64::try_from(*number).map_err(|_| at.error(Problem::TooLarge)),
        Value::Number(Number::Huge) => Err(at.error(Problem::TooLarge)),
        _ => Err(at.expected("a whole number")),
    }
}

fn glob(at: &At<'_>) -> Result<Glob, DocumentError> {
    Glob::new(at.text()?).map_err(|error| at.error(error))
}

fn command(at: &At<'_>) -> Result<CommandPattern, DocumentError> {
    CommandPattern::parse(at.text()?).map_err(|error| at.error(error))
}
