//! What a command is given: values of the kinds it declares, in the forms that its target takes.

use std::fmt::Write;

use serde_json::Value as Json;
use thiserror::Error;

use crate::argument::{Argument, Kind};

/// The value of one argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text; also the default of an argument of another kind, where it is none of that.
    Text(String),
    /// Decimal digits, perhaps behind a minus.
    Integer(String),
    /// A float, NaN and infinities included.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A list of texts.
    Texts(Vec<String>),
}

/// Digits of the longest integer (`contract: commands §4`).
const MOST_DIGITS: usize = 4300;

/// Values that do not fit what a command declares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// There is no such argument, or it is there twice.
    #[error("the command takes no such argument, or takes it once: `{0}`")]
    Name(String),
    /// A value is of another kind.
    #[error("the argument `{0}` is of another kind")]
    Kind(String),
    /// One that is required is not there.
    #[error("the argument `{0}` is required")]
    Missing(String),
}

/// The values of a call, in the order of the arguments: checked to be what the command declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(String, Value)>);

impl Values {
    /// Values for these arguments.
    ///
    /// # Errors
    /// See [`Unfit`].
    pub fn new(arguments: &[Argument], mut given: Vec<(String, Value)>) -> Result<Self, Unfit> {
        let mut values = Vec::with_capacity(given.len());
        for argument in arguments {
            match given.iter().position(|(name, _)| *name == argument.name) {
                Some(place) => {
                    let (name, value) = given.swap_remove(place);
                    if !fits(argument, &value) {
                        return Err(Unfit::Kind(name));
                    }
                    values.push((name, value));
                }
                None if argument.required => return Err(Unfit::Missing(argument.name.clone())),
                None => {}
            }
        }
        match given.into_iter().next() {
            Some((name, _)) => Err(Unfit::Name(name)),
            None => Ok(Self(values)),
        }
    }

    /// A value by its argument's name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// One JSON object. What is no number of JSON's is null.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.object(|number| if number.is_finite() { format!("{number:?}") } else { "null".to_owned() })
    }

    /// The same as Python reads it: with `NaN` and `Infinity`.
    #[must_use]
    pub fn to_python(&self) -> String {
        self.object(|number| match number {
            number if number.is_nan() => "NaN".to_owned(),
            number if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
            // Always with a point or an exponent, so that it stays a float.
            number => format!("{number:?}"),
        })
    }

    fn object(&self, float: impl Fn(f64) -> String) -> String {
        let mut out = String::from("{");
        for (index, (name, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let value = match value {
                Value::Text(text) => Json::from(text.as_str()).to_string(),
                Value::Integer(digits) => digits.clone(),
                Value::Float(number) => float(*number),
                Value::Boolean(flag) => flag.to_string(),
                Value::Texts(texts) => Json::from(texts.as_slice()).to_string(),
            };
            // Writing to a String can't fail.
            let _ = write!(out, "{comma}{}:{value}", Json::from(name.as_str()));
        }
        out.push('}');
        out
    }
}

fn fits(argument: &Argument, value: &Value) -> bool {
    match (argument.kind, value) {
        (Kind::Text, Value::Text(_))
        | (Kind::Float, Value::Float(_))
        | (Kind::Boolean, Value::Boolean(_))
        | (Kind::Texts, Value::Texts(_)) => true,
        (Kind::Integer, Value::Integer(digits)) => {
            let digits = digits.strip_prefix('-').unwrap_or(digits);
            let is_plain = digits == "0" || !digits.starts_with('0');
            is_plain && (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        (kind, Value::Text(text)) => kind != Kind::Texts && argument.default.as_ref() == Some(text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Unfit, Value, Values};
    use crate::argument::{Argument, Kind};

    fn argument(name: &str, kind: Kind, required: bool, default: Option<&str>) -> Argument {
        let (name, default) = (name.to_owned(), default.map(str::to_owned));
        Argument { name, kind, required, default, description: String::new() }
    }

    fn given(values: &[(&str, Value)]) -> Vec<(String, Value)> {
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn integer(digits: &str) -> Value {
        Value::Integer(digits.to_owned())
    }

    #[test]
    fn only_what_is_declared_is_passed() {
        let arguments = [argument("a", Kind::Integer, true, None), argument("b", Kind::Text, false, None)];
        let check = |values: &[(&str, Value)]| Values::new(&arguments, given(values)).map(|values| values.to_json());
        assert_eq!(check(&[("b", text("x")), ("a", integer("5"))]).unwrap(), r#"{"a":5,"b":"x"}"#);
        assert_eq!(check(&[]), Err(Unfit::Missing("a".to_owned())));
        assert_eq!(check(&[("a", integer("1")), ("c", text(""))]), Err(Unfit::Name("c".to_owned())));
        assert_eq!(check(&[("a", integer("1")), ("a", integer("2"))]), Err(Unfit::Name("a".to_owned())));
        assert_eq!(check(&[("a", text("5"))]), Err(Unfit::Kind("a".to_owned())));
        assert_eq!(check(&[("a", integer("1")), ("b", Value::Boolean(true))]), Err(Unfit::Kind("b".to_owned())));
    }

    #[test]
    fn integers_are_digits() {
        let arguments = [argument("a", Kind::Integer, false, None)];
        let fits = |digits: &str| Values::new(&arguments, given(&[("a", integer(digits))])).is_ok();
        assert!(fits("0") && fits("-7") && fits(&"9".repeat(4300)));
        for wrong in ["", "-", "+1", "1.0", " 1", "1e3", "007", "0x1", "1,\"b\":2", &"9".repeat(4301)] {
            assert!(!fits(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_default_of_another_kind_is_passed_as_its_text() {
        let arguments =
            [argument("a", Kind::Integer, false, Some("N/A")), argument("b", Kind::Texts, false, Some("[]"))];
        assert!(Values::new(&arguments, given(&[("a", text("N/A"))])).is_ok());
        assert!(Values::new(&arguments, given(&[("a", text("other"))])).is_err());
        assert!(Values::new(&arguments, given(&[("b", text("[]"))])).is_err());
    }

    #[test]
    fn floats_stay_floats_and_what_json_lacks_is_spelt_for_python() {
        let kinds = ["a", "b", "c", "d"].map(|name| argument(name, Kind::Float, false, None));
        let floats = [1.0, 1e22, f64::NAN, f64::NEG_INFINITY];
        let given = kinds.iter().zip(floats).map(|(argument, float)| (argument.name.clone(), Value::Float(float)));
        let values = Values::new(&kinds, given.collect()).unwrap();
        assert_eq!(values.to_python(), r#"{"a":1.0,"b":1e22,"c":NaN,"d":-Infinity}"#);
        assert_eq!(values.to_json(), r#"{"a":1.0,"b":1e22,"c":null,"d":null}"#);
    }

    #[test]
    fn names_and_texts_are_escaped() {
        let arguments = [argument("a\"", Kind::Text, false, None), argument("b", Kind::Texts, false, None)];
        let texts = Value::Texts(vec!["\n".to_owned(), "é".to_owned()]);
        let values = Values::new(&arguments, given(&[("a\"", text("\\")), ("b", texts)])).unwrap();
        assert_eq!(values.to_json(), r#"{"a\"":"\\","b":["\n","é"]}"#);
    }
}
