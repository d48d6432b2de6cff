//! The parts of a body, read and encoded as they are needed.

use std::io;

use abxd_body::base64::{Encoder, encoded_len};
use abxd_body::json_text::TextEncoder;
use abxd_plugins::{Segment, Source};

/// Bytes that are written at once.
const WRITE: usize = 64 << 10;

/// Bytes of a source that are encoded at once.
const ENCODE: usize = 12 << 10;

/// One part, or what is left of it.
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Vec<u8>),
    Raw(Source),
    Base64(Source, Encoder),
    JsonText(Source, TextEncoder),
    /// Everything was read.
    Done,
}

/// What is left of a piece, and its next bytes.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) rest: Piece,
    /// `None`: there are some, but not without waiting.
    pub(super) bytes: Option<Vec<u8>>,
}

/// A way of taking up to so many bytes off a source; `None` as in [`Read::bytes`].
type Take = fn(&mut Source, usize) -> io::Result<Option<Vec<u8>>>;

impl Piece {
    pub(super) fn of(segment: Segment) -> Self {
        match segment {
            Segment::Bytes(bytes) => Self::Bytes(bytes),
            Segment::Base64(source) => Self::Base64(source, Encoder::new()),
            Segment::JsonText(source) => Self::JsonText(source, TextEncoder::new()),
        }
    }

    /// Bytes to come, where that is known.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::Raw(source) => Some(source.len()),
            Self::Base64(source, _) => encoded_len(source.len()),
            Self::JsonText(..) => None,
            Self::Done => Some(0),
        }
    }

    /// Read the next part, unless it would have to be waited for.
    pub(super) fn read_ready(self) -> io::Result<Read> {
        self.read_by(Source::take_ready)
    }

    /// Read the next part. Blocks.
    pub(super) fn read(self) -> io::Result<Read> {
        self.read_by(|source, most| source.take(most).map(Some))
    }

    fn read_by(mut self, take: Take) -> io::Result<Read> {
        let bytes = match &mut self {
            Self::Bytes(bytes) => Some(std::mem::take(bytes)),
            Self::Raw(source) => take(source, WRITE)?,
            Self::Base64(source, encoder) => {
                let mut text = encoded(source, take, |bytes, text| encoder.push(bytes, text))?;
                if source.is_empty() {
                    encoder.finish(text.get_or_insert_default());
                }
                text.map(String::into_bytes)
            }
            Self::JsonText(source, encoder) => {
                let mut text = encoded(source, take, |bytes, text| encoder.push(bytes, text))?;
                if source.is_empty() {
                    encoder.finish(text.get_or_insert_default());
                }
                text.map(String::into_bytes)
            }
            Self::Done => Some(Vec::new()),
        };
        Ok(Read { rest: if self.is_over() { Self::Done } else { self }, bytes })
    }

    fn is_over(&self) -> bool {
        match self {
            Self::Raw(source) | Self::Base64(source, _) | Self::JsonText(source, _) => source.is_empty(),
            Self::Bytes(_) | Self::Done => true,
        }
    }
}

/// About [`WRITE`] bytes of text, or what is left; `None` when there is nothing without waiting.
fn encoded(source: &mut Source, take: Take, mut push: impl FnMut(&[u8], &mut String)) -> io::Result<Option<String>> {
    let mut text = String::new();
    while !source.is_empty() && text.len() < WRITE {
        let Some(bytes) = take(source, ENCODE)? else { break };
        if text.is_empty() {
            text.reserve_exact(WRITE);
        }
        push(&bytes, &mut text);
    }
    Ok((!text.is_empty()).then_some(text))
}
