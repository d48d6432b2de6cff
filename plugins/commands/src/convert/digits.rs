//! Decimal digits of all scripts: Unicode's category Nd.

use std::borrow::Cow;

/// Where each script's digits begin; the other nine follow in order. Unicode 17.
const ZEROS: [u32; 75] = [
    0x00030, 0x00660, 0x006F0, 0x007C0, 0x00966, 0x009E6, 0x00A66, 0x00AE6, 0x00B66, 0x00BE6, 0x00C66, 0x00CE6,
    0x00D66, 0x00DE6, 0x00E50, 0x00ED0, 0x00F20, 0x01040, 0x01090, 0x017E0, 0x01810, 0x01946, 0x019D0, 0x01A80,
    0x01A90, 0x01B50, 0x01BB0, 0x01C40, 0x01C50, 0x0A620, 0x0A8D0, 0x0A900, 0x0A9D0, 0x0A9F0, 0x0AA50, 0x0ABF0,
    0x0FF10, 0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
    0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50, 0x11DA0, 0x11DE0, 0x11F50,
    0x16A60, 0x16AC0, 0x16B50, 0x1CCF0, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0,
    0x1E5F1, 0x1E950, 0x1FBF0,
];

/// The text with every decimal digit as the one of ASCII.
pub(super) fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let digit = |letter: char| value(letter).and_then(|value| char::from_digit(value, 10)).unwrap_or(letter);
    Cow::Owned(text.chars().map(digit).collect())
}

/// What a decimal digit counts.
fn value(letter: char) -> Option<u32> {
    let place = ZEROS.partition_point(|zero| *zero <= letter.into()).checked_sub(1)?;
    let value = u32::from(letter) - ZEROS.get(place)?;
    (value < 10).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{ZEROS, in_ascii};

    #[test]
    fn ten_digits_of_each_script_are_numbers_in_their_order() {
        assert!(ZEROS.is_sorted());
        for zero in ZEROS {
            let digits: String = (zero..zero + 10).filter_map(char::from_u32).collect();
            assert!(digits.chars().all(char::is_numeric), "{zero:x}");
            assert_eq!(in_ascii(&digits), "0123456789", "{zero:x}");
        }
    }

    #[test]
    fn other_numbers_are_no_digits() {
        for text in ["²", "½", "Ⅷ", "一", "①", "é", "\u{10ffff}"] {
            assert_eq!(in_ascii(text), text);
        }
    }
}
