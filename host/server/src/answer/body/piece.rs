//! The parts of a body, read and encoded as they are needed.

use std::collections::VecDeque;
use std::io;

use abxd_body::base64::{Encoder, encoded_len};
use abxd_body::json_text::TextEncoder;
use abxd_plugins::{Segment, Source};

/// Bytes that are written at once.
const WRITE: usize = 64 << 10;

/// Bytes of a source that are encoded at once.
const ENCODE: usize = 12 << 10;

/// The pieces of a body. Those that are at hand from its start on are put together, as long as they are little: a short
/// answer then has a known length and is written at once.
pub(super) fn together(segments: Vec<Segment>) -> VecDeque<Piece> {
    let mut pieces = VecDeque::new();
    let mut start = Vec::new();
    let mut segments = segments.into_iter().map(Piece::of);
    for piece in segments.by_ref() {
        match piece.at_hand(ENCODE.saturating_sub(start.len())) {
            Ok(bytes) => start.extend_from_slice(&bytes),
            Err(piece) => {
                pieces.push_back(piece);
                break;
            }
        }
    }
    pieces.extend(segments);
    pieces.push_front(Piece::Bytes(start));
    pieces
}

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
            Segment::Raw(source) => Self::Raw(source),
        }
    }

    /// The whole piece, where it is in memory and made of at most `room` bytes.
    fn at_hand(self, room: usize) -> Result<Vec<u8>, Self> {
        let from = match &self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Raw(source) | Self::Base64(source, _) | Self::JsonText(source, _) if source.is_in_memory() => {
                usize::try_from(source.len()).unwrap_or(usize::MAX)
            }
            _ => usize::MAX,
        };
        if from > room {
            return Err(self);
        }
        match self.read_ready() {
            Ok(Read { rest: Self::Done, bytes: Some(bytes) }) => Ok(bytes),
            // Memory can't fail to be read, and so little of it is read at once.
            Ok(Read { rest, .. }) => Err(rest),
            Err(_) => Err(Self::Done),
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

#[cfg(test)]
mod tests {
    use abxd_plugins::{Segment, Source};

    use super::{ENCODE, Piece, together};

    /// What is written of each piece in turn.
    fn written(pieces: impl IntoIterator<Item = Piece>) -> Vec<String> {
        let whole = |mut piece: Piece| {
            let mut text = Vec::new();
            while !matches!(piece, Piece::Done) {
                let read = piece.read().unwrap();
                text.extend(read.bytes.unwrap());
                piece = read.rest;
            }
            String::from_utf8(text).unwrap()
        };
        pieces.into_iter().map(whole).collect()
    }

    fn memory(bytes: &[u8]) -> Source {
        Source::memory(bytes.to_vec().into())
    }

    #[test]
    fn a_short_answer_from_memory_is_one_piece_of_known_length() {
        let pieces = together(vec![
            Segment::Bytes(b"<".to_vec()),
            Segment::JsonText(memory(b"a\n\xff")),
            Segment::Bytes(b"|".to_vec()),
            Segment::Raw(memory("\u{e4}".as_bytes())),
            Segment::Base64(memory(b"hi")),
            Segment::JsonText(memory(b"")),
            Segment::Bytes(b">".to_vec()),
        ]);
        assert_eq!(pieces.iter().map(Piece::size).collect::<Vec<_>>(), [Some(15)]);
        assert_eq!(written(pieces), ["<a\\n\u{fffd}|\u{e4}aGk=>"]);
        assert_eq!(written(together(Vec::new())), [""]);
    }

    #[test]
    fn what_is_long_or_in_a_file_is_read_as_it_is_written() {
        let (long, file) = ("x".repeat(ENCODE), std::fs::File::open("/dev/null").unwrap());
        let pieces = together(vec![
            Segment::Bytes(b"<".to_vec()),
            Segment::JsonText(memory(long.as_bytes())),
            Segment::Bytes(b"|".to_vec()),
            Segment::Raw(Source::file(file, 0)),
            Segment::Bytes(b">".to_vec()),
        ]);
        assert_eq!(written(pieces), ["<", &long, "|", "", ">"]);
    }
}
