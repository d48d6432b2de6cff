//! Integers of any size, as decimal digits.

use super::digits::in_ascii;

/// The longest integer, in digits, as in Python.
const MOST: usize = 4300;

/// What `int()` makes of a text: blanks around it, one sign, decimal digits of any script, single underscores between them.
pub(super) fn of_text(text: &str) -> Option<String> {
    let text = in_ascii(text.trim());
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => after_digit = true,
            b'_' if after_digit => after_digit = false,
            _ => return None,
        }
    }
    let digits = digits.replace('_', "");
    (after_digit && digits.len() <= MOST).then(|| plain(negative, &digits))
}

/// A JSON number without fraction and exponent.
pub(super) fn of_literal(literal: &str) -> Option<String> {
    let plain = display_literal(literal);
    (plain.trim_start_matches('-').len() <= MOST).then_some(plain)
}

/// The same, however long.
pub(super) fn display_literal(literal: &str) -> String {
    match literal.strip_prefix('-') {
        Some(digits) => plain(true, digits),
        None => plain(false, literal),
    }
}

/// A float, cut toward zero.
pub(super) fn of_float(number: f64) -> String {
    // Exact at any size.
    plain(number < 0.0, &format!("{:.0}", number.trunc().abs()))
}

/// Without leading zeros, and zero without a sign.
fn plain(negative: bool, digits: &str) -> String {
    match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => [if negative { "-" } else { "" }, digits].concat(),
    }
}
