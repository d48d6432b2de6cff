//! Bytes as the inside of a JSON string.
//!
//! The bytes are read as UTF-8, also where a character is cut by the border of two pieces; what is not UTF-8 becomes
//! U+FFFD, once for each maximal part of a character (Unicode 16, §3.9). Quotes, backslashes and control characters,
//! NUL among them, are escaped; everything else stays as it is.

#[cfg(test)]
mod tests;

use std::str;

use crate::clean::clean_start;

/// Escapes bytes that come in pieces of any length.
#[derive(Debug, Default)]
pub struct TextEncoder {
    /// The start of a character, fewer than 4 bytes.
    cut: Vec<u8>,
}

impl TextEncoder {
    /// An encoder before the first byte.
    pub fn new() -> Self {
        Self::default()
    }

    /// Append to `text` what the next bytes become.
    pub fn push(&mut self, bytes: &[u8], text: &mut String) {
        let mut rest = bytes;
        // Byte by byte only until the character is whole, or turns out to be none.
        while !self.cut.is_empty() {
            let Some((&byte, tail)) = rest.split_first() else { return };
            rest = tail;
            let mut start = std::mem::take(&mut self.cut);
            start.push(byte);
            self.cut = encode(&start, text);
        }
        self.cut = encode(rest, text);
    }

    /// Append what a cut character at the end becomes. The encoder then starts anew.
    pub fn finish(&mut self, text: &mut String) {
        if !std::mem::take(&mut self.cut).is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Append what `bytes` become, but for the start of a character at their end, which is returned.
fn encode(bytes: &[u8], text: &mut String) -> Vec<u8> {
    let mut rest = bytes;
    loop {
        let error = match str::from_utf8(rest) {
            Ok(valid) => {
                escape(valid, text);
                return Vec::new();
            }
            Err(error) => error,
        };
        let (valid, broken) = rest.split_at_checked(error.valid_up_to()).unwrap_or((&[], rest));
        escape(str::from_utf8(valid).unwrap_or_default(), text);
        let Some(length) = error.error_len() else { return broken.to_vec() };
        text.push(char::REPLACEMENT_CHARACTER);
        rest = broken.get(length..).unwrap_or_default();
    }
}

fn escape(valid: &str, text: &mut String) {
    let mut rest = valid;
    loop {
        let plain = clean_start(rest.as_bytes(), |byte| byte < 0x20 || byte == b'"' || byte == b'\\');
        let (clean, tail) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        text.push_str(clean);
        let mut characters = tail.chars();
        match characters.next() {
            Some('"') => text.push_str("\\\""),
            Some('\\') => text.push_str("\\\\"),
            Some('\n') => text.push_str("\\n"),
            Some('\r') => text.push_str("\\r"),
            Some('\t') => text.push_str("\\t"),
            Some(control) => {
                text.push_str("\\u00");
                let digits = [u32::from(control) >> 4, u32::from(control) & 0xF];
                text.extend(digits.into_iter().filter_map(|digit| char::from_digit(digit, 16)));
            }
            None => return,
        }
        rest = characters.as_str();
    }
}
