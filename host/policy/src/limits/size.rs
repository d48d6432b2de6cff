//! Sizes as text: `5`, `5 MB`, `1.5GiB` (`contract: policy §2`, sizes).

use thiserror::Error;

/// Why a text is no size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SizeError {
    /// It does not read as a number and a unit.
    #[error("not a size (sizes look like 5, \"5MB\" or \"1.5 GiB\")")]
    Syntax,
    /// It comes to less than one byte.
    #[error("the size is less than one byte")]
    Zero,
    /// It comes to more bytes than 64 bits hold.
    #[error("the size is too large")]
    TooLarge,
}

/// Reads a size in bytes. Fractions of a byte are cut off, by exact arithmetic.
///
/// # Errors
/// [`SizeError`], one variant for each way to be no size.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let text = text.trim_matches(' ');
    let number_end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(number_end).ok_or(SizeError::Syntax)?;
    let unit = bytes_of(unit.strip_prefix(' ').unwrap_or(unit)).ok_or(SizeError::Syntax)?;
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    if !is_digits(whole) || !fraction.is_none_or(is_digits) {
        return Err(SizeError::Syntax);
    }
    let whole: u64 = whole.parse().map_err(|_| SizeError::TooLarge)?;
    let bytes = whole
        .checked_mul(unit)
        .and_then(|bytes| bytes.checked_add(part_of(unit, fraction.unwrap_or_default())))
        .ok_or(SizeError::TooLarge)?;
    if bytes == 0 { Err(SizeError::Zero) } else { Ok(bytes) }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `unit` times `0.digits`, cut to a whole number. Cutting at every digit from the last one on gives the same as
/// cutting once at the end.
fn part_of(unit: u64, digits: &str) -> u64 {
    digits.bytes().rev().fold(0, |part, digit| (part + u64::from(digit - b'0') * unit) / 10)
}

fn bytes_of(unit: &str) -> Option<u64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_table() {
        let rows: &[(&str, u64)] = &[
            ("5", 5),
            ("5B", 5),
            ("5 b", 5),
            ("5kb", 5_000),
            ("5KB", 5_000),
            ("5MiB", 5_242_880),
            (" 5 MB ", 5_000_000),
            ("1.5GiB", 1_610_612_736),
            ("1KiB", 1_024),
            ("2gb", 2_000_000_000),
            ("0.5KB", 500),
            ("1.9", 1),
            ("1.001KB", 1_001),
            ("0.29KB", 290),
            ("010", 10),
        ];
        for &(text, bytes) in rows {
            assert_eq!(parse_size(text), Ok(bytes), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_size() {
        for text in [
            "5k", "5M", "5TB", ".5KB", "5.KB", "1e3", "-5", "+5", "", " ", "5  MB", "5\tMB", "5MB\n", "٣", "1.2.3",
            "KB", "5é",
        ] {
            assert_eq!(parse_size(text), Err(SizeError::Syntax), "{text:?}");
        }
        for text in ["0", "0.1", "0.9B", "0KB", "0.0001KB"] {
            assert_eq!(parse_size(text), Err(SizeError::Zero), "{text:?}");
        }
        for text in ["18446744073709551616", "18446744073709551615KB", "99999999999999999999999"] {
            assert_eq!(parse_size(text), Err(SizeError::TooLarge), "{text:?}");
        }
        assert_eq!(parse_size("18446744073709551615"), Ok(u64::MAX));
    }
}
