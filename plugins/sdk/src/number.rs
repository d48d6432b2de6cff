//! Numbers as text, as query parameters carry them: the forms of Python's `int()` and `float()`. Contract: file_ops §1.2.

/// An integer: surrounding blanks, one sign, single underscores between digits. Beyond the range: its nearest end.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let text = text.trim_matches(is_blank);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !is_grouped(digits) {
        return None;
    }
    let mut value = 0_i64;
    for digit in digits.bytes().filter(u8::is_ascii_digit).map(|byte| i64::from(byte - b'0')) {
        value = value.saturating_mul(10);
        value = if negative { value.saturating_sub(digit) } else { value.saturating_add(digit) };
    }
    Some(value)
}

/// A number: decimal or exponent form, blanks, sign and underscores as in [`integer`], or `inf`. Never NaN.
pub(crate) fn float(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_blank);
    let value = if text.contains('_') {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let mantissa = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let grouped = |digits: &str| digits.is_empty() || is_grouped(digits);
        if !(grouped(whole) && grouped(fraction) && is_grouped(exponent)) {
            return None;
        }
        text.replace('_', "").parse::<f64>()
    } else {
        text.parse::<f64>()
    };
    value.ok().filter(|value| !value.is_nan())
}

/// Digits, with single underscores between them only.
fn is_grouped(digits: &str) -> bool {
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => after_digit = true,
            b'_' if after_digit => after_digit = false,
            _ => return false,
        }
    }
    after_digit
}

/// White space, with the four separators that Python counts in.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

#[cfg(test)]
mod tests {
    use super::{float, integer};

    #[test]
    fn integers_are_read_as_python_reads_them() {
        for (text, value) in [
            ("0", 0),
            (" 2 ", 2),
            ("\t2\n", 2),
            ("\u{1c}2\u{a0}", 2),
            ("1_0", 10),
            ("+7", 7),
            ("-7", -7),
            ("007", 7),
            ("-1_000", -1000),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("99999999999999999999999", i64::MAX),
            ("-99999999999999999999999", i64::MIN),
        ] {
            assert_eq!(integer(text), Some(value), "{text:?}");
        }
        for text in ["", " ", "2.5", "abc", "1e3", "_1", "1_", "1__0", "+", "-", "+-1", "- 1", "1 0", "0x10", "²", "٣"]
        {
            assert_eq!(integer(text), None, "{text:?}");
        }
    }

    #[test]
    fn floats_are_read_as_python_reads_them() {
        for (text, value) in [
            ("0.5", 0.5),
            (" 1 ", 1.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("1E-2", 0.01),
            ("+1_0.2_5", 10.25),
            ("1_0e1_0", 10e10),
            ("-3", -3.0),
            ("inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("1e400", f64::INFINITY),
        ] {
            assert_eq!(float(text), Some(value), "{text:?}");
        }
        for text in [
            "", "nan", "-NaN", "abc", "1__0", "1_.5", "1._5", "_1", "1e_5", "1e5_", "_", "1_0e", "._1", "0x1", "1,5",
            "in_f",
        ] {
            assert_eq!(float(text), None, "{text:?}");
        }
    }
}
