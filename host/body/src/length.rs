//! What the headers say about the body (contract: pipeline §1 steps 5a to 5c, §5).

use thiserror::Error;

/// A body that may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// No body: the method reads none, `Content-Length` is absent, or it is 0.
    None,
    /// So many bytes, at least 1 and at most the limit.
    Length(u64),
}

/// Why a body can't be read.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum LengthError {
    /// `Transfer-Encoding` has a value: `chunked` or any other.
    #[error("request bodies with Transfer-Encoding are not supported")]
    TransferEncoding,
    /// `Content-Length` is not a number, or is given twice with different texts.
    #[error("invalid Content-Length")]
    BadLength,
    /// `Content-Length` is over the limit.
    #[error("request body exceeds {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
}

/// Judge the headers of a request, in the contract's order: encoding, syntax, size.
///
/// `transfer_encoding` and `content_length` are the raw values of all headers of that name. `reads_body` says whether
/// the method is one whose body is read (POST, PUT, DELETE); if not, the headers are not looked at. `limit` is in bytes.
///
/// Digits are counted by value, so `021` is 21 and a number too long for 64 bits is over any limit.
pub fn declared<'a>(
    transfer_encoding: impl IntoIterator<Item = &'a [u8]>,
    content_length: impl IntoIterator<Item = &'a [u8]>,
    reads_body: bool,
    limit: u64,
) -> Result<Declared, LengthError> {
    if !reads_body {
        return Ok(Declared::None);
    }
    if transfer_encoding.into_iter().any(|value| !value.trim_ascii().is_empty()) {
        return Err(LengthError::TransferEncoding);
    }
    let mut lengths = content_length.into_iter().map(<[u8]>::trim_ascii);
    let Some(text) = lengths.next() else { return Ok(Declared::None) };
    if lengths.any(|other| other != text) {
        return Err(LengthError::BadLength);
    }
    match number(text)? {
        0 => Ok(Declared::None),
        length if length > limit => Err(LengthError::TooLarge { limit }),
        length => Ok(Declared::Length(length)),
    }
}

/// The value of ASCII digits; what does not fit is the largest number there is.
fn number(text: &[u8]) -> Result<u64, LengthError> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return Err(LengthError::BadLength);
    }
    Ok(text.iter().fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

#[cfg(test)]
mod tests {
    use super::{Declared, LengthError, declared};

    const LIMIT: u64 = 10_485_760;
    const TOO_LARGE: Result<Declared, LengthError> = Err(LengthError::TooLarge { limit: LIMIT });
    const BAD: Result<Declared, LengthError> = Err(LengthError::BadLength);
    const ENCODED: Result<Declared, LengthError> = Err(LengthError::TransferEncoding);

    fn lengths(values: &[&str]) -> Result<Declared, LengthError> {
        declared([], values.iter().map(|value| value.as_bytes()), true, LIMIT)
    }

    #[test]
    fn content_length_follows_the_contract() {
        let long = "9".repeat(5000);
        let zeros = format!("{}21", "0".repeat(5000));
        let rows: &[(&[&str], Result<Declared, LengthError>)] = &[
            (&[], Ok(Declared::None)),
            (&["0"], Ok(Declared::None)),
            (&["000"], Ok(Declared::None)),
            (&["21"], Ok(Declared::Length(21))),
            (&[" 21\t"], Ok(Declared::Length(21))),
            (&["021"], Ok(Declared::Length(21))),
            (&["10485760"], Ok(Declared::Length(10_485_760))),
            (&["10485761"], TOO_LARGE),
            (&["18446744073709551615"], TOO_LARGE),
            (&["18446744073709551616"], TOO_LARGE),
            (&[&long], TOO_LARGE),
            (&[&zeros], Ok(Declared::Length(21))),
            (&["abc"], BAD),
            (&["-1"], BAD),
            (&["+21"], BAD),
            (&["21.0"], BAD),
            (&[""], BAD),
            (&[" "], BAD),
            (&["21, 21"], BAD),
            (&["²"], BAD),
            (&["0x15"], BAD),
            (&["2_1"], BAD),
            (&["21", "21"], Ok(Declared::Length(21))),
            (&["21", " 21 "], Ok(Declared::Length(21))),
            (&["21", "021"], BAD),
            (&["21", "22"], BAD),
            (&["21", ""], BAD),
            (&["abc", "abc"], BAD),
        ];
        for (values, expected) in rows {
            assert_eq!(lengths(values), *expected, "Content-Length {values:?}");
        }
    }

    #[test]
    fn any_transfer_encoding_is_refused_before_the_length_is_judged() {
        for value in ["chunked", "Chunked", " chunked ", "identity", "gzip", "gzip, chunked", "odd"] {
            for lengths in [&[][..], &["3"], &["abc"], &["10485761"]] {
                let lengths = lengths.iter().map(|value| value.as_bytes());
                assert_eq!(declared([value.as_bytes()], lengths, true, LIMIT), ENCODED, "{value}");
            }
        }
    }

    #[test]
    fn empty_transfer_encoding_is_ignored() {
        for value in ["", " ", "\t"] {
            assert_eq!(declared([value.as_bytes()], [&b"3"[..]], true, LIMIT), Ok(Declared::Length(3)));
        }
    }

    #[test]
    fn headers_of_a_method_without_a_body_are_not_looked_at() {
        assert_eq!(declared([&b"chunked"[..]], [&b"abc"[..]], false, LIMIT), Ok(Declared::None));
        assert_eq!(declared([], [&b"10485761"[..]], false, LIMIT), Ok(Declared::None));
    }

    #[test]
    fn a_rule_may_raise_or_lower_the_limit() {
        let judge = |limit| declared([], [&b"100"[..]], true, limit);
        assert_eq!(judge(100), Ok(Declared::Length(100)));
        assert_eq!(judge(99), Err(LengthError::TooLarge { limit: 99 }));
        assert_eq!(judge(0), Err(LengthError::TooLarge { limit: 0 }));
    }
}
