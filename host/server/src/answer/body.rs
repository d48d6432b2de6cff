//! The body of an answer, as it is written.
//!
//! A [`Tracked`] owns what the request holds until its end: the permit and the audit record. Both go when the last byte
//! has been handed to the connection, or when the connection is gone.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use abxd_body::base64::{Encoder, encoded_len};
use abxd_body::json_text::TextEncoder;
use abxd_plugins::{AnswerBody, Segment, Source};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;

use crate::audit::Record;
use crate::pipeline::Permit;

/// Bytes that are read of a source at once. A multiple of three, so that base64 needs no carry.
const READ: usize = 96 << 10;

/// A body that is being written.
#[derive(Debug)]
pub(super) struct Tracked {
    pieces: VecDeque<Piece>,
    /// The piece that is being read on a blocking thread. It ends by itself soon, also when nobody waits for it.
    reading: Option<JoinHandle<Read>>,
    /// Bytes to come, where that is known.
    rest: Option<u64>,
    permit: Option<Permit>,
    _record: Record,
}

/// What is left of a piece, and its next bytes.
type Read = io::Result<(Piece, Vec<u8>)>;

#[derive(Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Raw(Source),
    Base64(Source, Encoder),
    JsonText(Source, TextEncoder),
    /// Everything was read.
    Done,
}

impl Tracked {
    /// A body that is there already.
    pub(super) fn whole(bytes: Vec<u8>, permit: Option<Permit>, record: Record) -> Self {
        Self::of([Piece::Bytes(bytes)].into(), permit, record)
    }

    /// The body of a handler's answer.
    pub(super) fn new(body: AnswerBody, permit: Permit, record: Record) -> Self {
        let pieces = match body {
            AnswerBody::Empty => VecDeque::new(),
            AnswerBody::Bytes(bytes) => [Piece::Bytes(bytes)].into(),
            AnswerBody::Source(source) => [Piece::Raw(source)].into(),
            AnswerBody::Segments(segments) => segments.into_iter().map(Piece::of).collect(),
            // Written by `Events`.
            AnswerBody::Events(_) => VecDeque::new(),
        };
        Self::of(pieces, Some(permit), record)
    }

    fn of(pieces: VecDeque<Piece>, permit: Option<Permit>, record: Record) -> Self {
        let rest = pieces.iter().try_fold(0_u64, |sum, piece| sum.checked_add(piece.size()?));
        Self { pieces, reading: None, rest, permit, _record: record }
    }

    fn written(&mut self, bytes: Vec<u8>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(rest) = &mut self.rest {
            *rest = rest.saturating_sub(bytes.len() as u64);
        }
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(bytes)))))
    }
}

impl Piece {
    fn of(segment: Segment) -> Self {
        match segment {
            Segment::Bytes(bytes) => Self::Bytes(bytes),
            Segment::Base64(source) => Self::Base64(source, Encoder::new()),
            Segment::JsonText(source) => Self::JsonText(source, TextEncoder::new()),
        }
    }

    fn size(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::Raw(source) => Some(source.len()),
            Self::Base64(source, _) => encoded_len(source.len()),
            Self::JsonText(..) => None,
            Self::Done => Some(0),
        }
    }

    /// Read the next part. Blocks.
    fn read(self) -> Read {
        match self {
            Self::Bytes(bytes) => Ok((Self::Done, bytes)),
            Self::Raw(mut source) => {
                let bytes = source.take(READ)?;
                Ok((if source.is_empty() { Self::Done } else { Self::Raw(source) }, bytes))
            }
            Self::Base64(mut source, mut encoder) => {
                let mut text = String::new();
                encoder.push(&source.take(READ)?, &mut text);
                if source.is_empty() {
                    encoder.finish(&mut text);
                    return Ok((Self::Done, text.into_bytes()));
                }
                Ok((Self::Base64(source, encoder), text.into_bytes()))
            }
            Self::JsonText(mut source, mut encoder) => {
                let mut text = String::new();
                encoder.push(&source.take(READ)?, &mut text);
                if source.is_empty() {
                    encoder.finish(&mut text);
                    return Ok((Self::Done, text.into_bytes()));
                }
                Ok((Self::JsonText(source, encoder), text.into_bytes()))
            }
            Self::Done => Ok((Self::Done, Vec::new())),
        }
    }
}

impl Body for Tracked {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            if let Some(reading) = &mut self.reading {
                let read = ready!(Pin::new(reading).poll(context)).map_err(io::Error::other).flatten();
                self.reading = None;
                let (piece, bytes) = read?;
                if !matches!(piece, Piece::Done) {
                    self.pieces.push_front(piece);
                }
                if !bytes.is_empty() {
                    return self.written(bytes);
                }
                continue;
            }
            match self.pieces.pop_front() {
                None => {
                    self.permit = None;
                    return Poll::Ready(None);
                }
                Some(Piece::Bytes(bytes)) if bytes.is_empty() => {}
                Some(Piece::Bytes(bytes)) => return self.written(bytes),
                Some(piece) => self.reading = Some(tokio::task::spawn_blocking(move || piece.read())),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.reading.is_none() && self.rest == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
