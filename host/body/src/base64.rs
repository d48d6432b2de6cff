//! Base64 of bulk values: standard alphabet, padded, one line (contract: file_ops §1.6).
//!
//! Decoding is strict: no white space, nothing behind the padding, a length that is a multiple of 4. Only the unused
//! bits of the last character may have any value.

#[cfg(test)]
mod tests;

use std::io;

use ::base64::Engine;
use ::base64::alphabet::STANDARD;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use thiserror::Error;

use crate::spool::{Spool, SpoolReader};

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Characters of a spool that are decoded in one go. A multiple of 4.
const TEXT: usize = 64 * 1024;

/// Why a text could not be decoded.
#[derive(Debug, Error)]
pub enum Base64Error {
    /// It is not base64.
    #[error("invalid base64")]
    Invalid,
    /// It could not be read.
    #[error("can't read the text: {0}")]
    Read(#[source] io::Error),
}

/// Check a whole text, and tell how many bytes it means. Blocks if the text is in a file.
pub fn decoded_len(text: &Spool) -> Result<u64, Base64Error> {
    let mut decoder = SpoolDecoder::new(text);
    let mut length = 0_u64;
    while let Some(bytes) = decoder.next_chunk()? {
        length = length.saturating_add(bytes.len() as u64);
    }
    Ok(length)
}

/// Decodes a text from its start, chunk by chunk.
#[derive(Debug)]
pub struct SpoolDecoder<'a> {
    text: SpoolReader<'a>,
    decoder: Decoder,
    input: Vec<u8>,
    bytes: Vec<u8>,
    ended: bool,
}

impl<'a> SpoolDecoder<'a> {
    /// A decoder before the first character.
    pub fn new(text: &'a Spool) -> Self {
        Self { text: text.reader(), decoder: Decoder::new(), input: vec![0; TEXT], bytes: Vec::new(), ended: false }
    }

    /// The next bytes; None behind the last. A chunk may be empty. Blocks if the text is in a file.
    pub fn next_chunk(&mut self) -> Result<Option<&[u8]>, Base64Error> {
        if self.ended {
            return Ok(None);
        }
        self.bytes.clear();
        let read = io::Read::read(&mut self.text, &mut self.input).map_err(Base64Error::Read)?;
        if read == 0 {
            self.ended = true;
            self.decoder.finish()?;
            return Ok(None);
        }
        self.decoder.push(self.input.get(..read).unwrap_or_default(), &mut self.bytes)?;
        Ok(Some(&self.bytes))
    }
}

/// Decodes a text that comes in pieces of any length.
#[derive(Debug, Default)]
pub struct Decoder {
    /// Characters, fewer than 4, of a group that is not complete.
    group: Vec<u8>,
    /// The padding has come.
    padded: bool,
}

impl Decoder {
    /// A decoder before the first character.
    pub fn new() -> Self {
        Self::default()
    }

    /// Append to `bytes` what the next characters mean.
    pub fn push(&mut self, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), Base64Error> {
        let missing = if self.group.is_empty() { 0 } else { 4 - self.group.len() };
        let (first, text) = text.split_at_checked(missing).unwrap_or((text, &[]));
        self.group.extend_from_slice(first);
        if self.group.len() == 4 {
            let group = std::mem::take(&mut self.group);
            self.groups(&group, bytes)?;
        }
        let (text, rest) = text.split_at_checked(text.len() & !3).unwrap_or((text, &[]));
        self.groups(text, bytes)?;
        self.group.extend_from_slice(rest);
        Ok(())
    }

    /// Check that the text may end here. The decoder then starts anew.
    pub fn finish(&mut self) -> Result<(), Base64Error> {
        let Self { group, .. } = std::mem::take(self);
        if group.is_empty() { Ok(()) } else { Err(Base64Error::Invalid) }
    }

    /// Decode complete groups.
    fn groups(&mut self, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), Base64Error> {
        if text.is_empty() {
            return Ok(());
        }
        if self.padded {
            return Err(Base64Error::Invalid);
        }
        self.padded = text.ends_with(b"=");
        // Only the last group may be padded or have bits that mean nothing: all before it is left to vector instructions.
        let (whole, last) = text.split_at_checked(text.len().saturating_sub(4)).unwrap_or((&[], text));
        base64_simd::STANDARD_NO_PAD.decode_append(whole, bytes).map_err(|_| Base64Error::Invalid)?;
        ENGINE.decode_vec(last, bytes).map_err(|_| Base64Error::Invalid)
    }
}

/// Encodes bytes that come in pieces of any length.
#[derive(Debug, Default)]
pub struct Encoder {
    /// Bytes, fewer than 3, of a group that is not complete.
    group: Vec<u8>,
}

impl Encoder {
    /// An encoder before the first byte.
    pub fn new() -> Self {
        Self::default()
    }

    /// Append to `text` what the next bytes become.
    pub fn push(&mut self, bytes: &[u8], text: &mut String) {
        let missing = if self.group.is_empty() { 0 } else { 3 - self.group.len() };
        let (first, bytes) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
        self.group.extend_from_slice(first);
        if self.group.len() == 3 {
            ENGINE.encode_string(std::mem::take(&mut self.group), text);
        }
        let (bytes, rest) = bytes.split_at_checked(bytes.len() - bytes.len() % 3).unwrap_or((bytes, &[]));
        base64_simd::STANDARD_NO_PAD.encode_append(bytes, text);
        self.group.extend_from_slice(rest);
    }

    /// Append the last characters and the padding. The encoder then starts anew.
    pub fn finish(&mut self, text: &mut String) {
        ENGINE.encode_string(std::mem::take(&mut self.group), text);
    }
}

/// Characters that so many bytes become. None: more than 64 bits can count.
pub fn encoded_len(bytes: u64) -> Option<u64> {
    bytes.div_ceil(3).checked_mul(4)
}
