//! Base64 as the contract wants it: standard alphabet, padded, one line. Contract: file_ops §1.6.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};

/// Strict but for the unused bits of the last group, which may hold anything.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// The bytes that `text` stands for. None: it is not base64, or has blanks, other alphabets' characters or no padding.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    ENGINE.decode(text).ok()
}

/// Append the text for `bytes`.
pub fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(ENGINE.encode(bytes).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{decode, push};

    #[test]
    fn text_and_bytes_stand_for_each_other() {
        for (text, bytes) in
            [("", &b""[..]), ("YQ==", b"a"), ("YWI=", b"ab"), ("YWJj", b"abc"), ("//79", b"\xff\xfe\xfd")]
        {
            assert_eq!(decode(text).as_deref(), Some(bytes));
            let mut out = Vec::new();
            push(&mut out, bytes);
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn trailing_bits_may_hold_anything() {
        assert_eq!(decode("aGl="), Some(b"hi".to_vec()));
        assert_eq!(decode("YR=="), Some(b"a".to_vec()));
    }

    #[test]
    fn all_else_is_refused() {
        for text in [
            "Y", "YQ", "YQ=", "YQ===", "YQ==YQ==", "YWJj=", "YWJj\n", " YWJj", "YW Jj", "-_79", "====", "=", "é",
            "YQ==x",
        ] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
