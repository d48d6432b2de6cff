//! The body of an answer, as it is written.
//!
//! A [`Tracked`] owns what the request holds until its end: the permit and the audit record. Both go when the last byte
//! has been handed to the connection, or when the connection is gone.
//!
//! What of a file is in the page cache is read where the answer is written; only what must be waited for costs a
//! thread.

mod piece;

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use abxd_plugins::{AnswerBody, Segment};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;

use crate::audit::Record;
use crate::pipeline::Permit;
use piece::{Piece, Read};

/// A body that is being written.
#[derive(Debug)]
pub(super) struct Tracked {
    pieces: VecDeque<Piece>,
    /// The piece that is being read on a blocking thread. It ends by itself soon, also when nobody waits for it.
    reading: Option<JoinHandle<io::Result<Read>>>,
    /// Bytes to come, where that is known.
    rest: Option<u64>,
    permit: Option<Permit>,
    _record: Record,
}

impl Tracked {
    /// A body that is there already.
    pub(super) fn whole(bytes: Vec<u8>, permit: Option<Permit>, record: Record) -> Self {
        Self::of([Piece::Bytes(bytes)].into(), permit, record)
    }

    /// The body of an error, part of which is the host's to read.
    pub(super) fn refusal(segments: Vec<Segment>, record: Record) -> Self {
        Self::of(piece::together(segments), None, record)
    }

    /// The body of a handler's answer.
    pub(super) fn new(body: AnswerBody, permit: Permit, record: Record) -> Self {
        let pieces = match body {
            AnswerBody::Empty => VecDeque::new(),
            AnswerBody::Bytes(bytes) => [Piece::Bytes(bytes)].into(),
            AnswerBody::Source(source) => [Piece::Raw(source)].into(),
            AnswerBody::Segments(segments) => piece::together(segments),
            // Written by `Events`.
            AnswerBody::Events(_) => VecDeque::new(),
        };
        Self::of(pieces, Some(permit), record)
    }

    fn of(pieces: VecDeque<Piece>, permit: Option<Permit>, record: Record) -> Self {
        let rest = pieces.iter().try_fold(0_u64, |sum, piece| sum.checked_add(piece.size()?));
        Self { pieces, reading: None, rest, permit, _record: record }
    }

    /// The next bytes, none of a piece that has none; `None` at the end.
    fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Option<Vec<u8>>>> {
        let read = match &mut self.reading {
            Some(reading) => {
                let read = ready!(Pin::new(reading).poll(context));
                self.reading = None;
                read.map_err(io::Error::other)??
            }
            None => match self.pieces.pop_front() {
                Some(piece) => piece.read_ready()?,
                None => return Poll::Ready(Ok(None)),
            },
        };
        let Read { rest, bytes } = read;
        let Some(bytes) = bytes else {
            self.reading = Some(tokio::task::spawn_blocking(move || rest.read()));
            return self.poll_bytes(context);
        };
        if !matches!(rest, Piece::Done) {
            self.pieces.push_front(rest);
        }
        Poll::Ready(Ok(Some(bytes)))
    }
}

impl Body for Tracked {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            let Some(bytes) = ready!(self.poll_bytes(context))? else {
                self.permit = None;
                return Poll::Ready(None);
            };
            if bytes.is_empty() {
                continue;
            }
            if let Some(rest) = &mut self.rest {
                *rest = rest.saturating_sub(bytes.len() as u64);
            }
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from(bytes)))));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.reading.is_none() && self.rest == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
