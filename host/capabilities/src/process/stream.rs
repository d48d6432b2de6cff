//! Running a program, line by line (`contract: process §3`).
//!
//! A [`LineStream`] is the consumer's end; a task owns the child, its pipes and its time. The task makes nothing more while
//! the consumer has not taken what was made, so a slow consumer slows the program and fills no memory, but the time runs.
//! It ends with the child, or ends the tree when the stream is dropped.

mod lines;
mod producer;

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use tokio::sync::mpsc;

use super::exit::Exit;

pub(super) use producer::produce;

/// Which output it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    /// Descriptor 1.
    Stdout,
    /// Descriptor 2.
    Stderr,
}

/// What a program's stream has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineEvent {
    /// A line, without its end; a part of one where it is longer than 16 MiB.
    Line {
        /// Where it was written.
        stream: OutputStream,
        /// Decoded (D32).
        text: String,
    },
    /// Its time was up, its tree has been killed. The exit follows.
    TimedOut,
    /// It wrote more than it may, its tree has been killed. The exit follows.
    OutputLimit,
    /// It has ended. The last event.
    Exit(Exit),
    /// The server ends, and the program with it. The last event: the answer has to break off without an exit.
    ShuttingDown,
}

type Batch = Vec<LineEvent>;

/// The lines of a program, and its end. Dropping it before the end ends the program's tree.
#[derive(Debug)]
pub struct LineStream {
    batches: mpsc::Receiver<Batch>,
    current: std::vec::IntoIter<LineEvent>,
}

impl LineStream {
    fn new(batches: mpsc::Receiver<Batch>) -> Self {
        Self { batches, current: Vec::new().into_iter() }
    }

    /// The next event; `None` after the last.
    pub async fn next(&mut self) -> Option<LineEvent> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Stream for LineStream {
    type Item = LineEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<LineEvent>> {
        loop {
            if let Some(event) = self.current.next() {
                return Poll::Ready(Some(event));
            }
            match ready!(self.batches.poll_recv(context)) {
                Some(batch) => self.current = batch.into_iter(),
                None => return Poll::Ready(None),
            }
        }
    }
}
