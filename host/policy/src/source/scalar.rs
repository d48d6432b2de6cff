//! What a YAML word without quotes stands for: the core schema of YAML 1.2, in which `yes`, `no`, `on` and `off` are
//! words. Where the grammar expects a boolean it takes those four too. `.inf` and `.nan` stay words: no value of a policy
//! may be either.

use super::{Number, Value};

/// Reads a plain scalar.
pub(super) fn resolve(word: &str) -> Value {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match number(word) {
            Some(number) => Value::Number(number),
            None => Value::Text { text: word.to_owned(), plain: true },
        },
    }
}

fn number(word: &str) -> Option<Number> {
    if let Some(digits) = word.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = word.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if is_digits(unsigned) {
        return Some(Number::integer(word));
    }
    if is_decimal(unsigned) { word.parse().ok().map(Number::Float) } else { None }
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(i128::from_str_radix(digits, radix).map_or(Number::Huge, Number::Integer))
}

/// Digits with a fraction or an exponent or both; digits on at least one side of the point.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let mantissa_is_good = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    mantissa_is_good && exponent.is_none_or(|digits| is_digits(digits.strip_prefix(['+', '-']).unwrap_or(digits)))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema() {
        let integer = |number| Value::Number(Number::Integer(number));
        let float = |number| Value::Number(Number::Float(number));
        let rows = [
            ("", Value::Null),
            ("~", Value::Null),
            ("TRUE", Value::Bool(true)),
            ("False", Value::Bool(false)),
            ("5", integer(5)),
            ("-5", integer(-5)),
            ("+5", integer(5)),
            ("010", integer(10)),
            ("0x1F", integer(31)),
            ("0o17", integer(15)),
            ("1.5", float(1.5)),
            ("5.", float(5.0)),
            (".5", float(0.5)),
            ("1e3", float(1000.0)),
            ("1.5E-2", float(0.015)),
        ];
        for (word, value) in rows {
            assert_eq!(resolve(word), value, "{word}");
        }
        assert_eq!(resolve(&"9".repeat(50)), Value::Number(Number::Huge));
    }

    #[test]
    fn words_stay_words() {
        for word in [
            "yes", "No", "on", "off", "y", "tRue", "1_000", "1:30", "0b1", "0x", ".", "1e", "e5", "--1", "5MB", ".inf",
            ".nan", "+",
        ] {
            assert_eq!(resolve(word), Value::Text { text: word.to_owned(), plain: true }, "{word}");
        }
    }
}
