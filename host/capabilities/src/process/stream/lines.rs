//! From text to lines, within a limit.

use super::{Batch, LineEvent, OutputStream};
use crate::process::output::Tap;

/// Longest line, in bytes of text, that is one event.
const LONGEST: usize = 16 * 1024 * 1024;

/// Bytes of one read. Bounds what a batch can be: every byte may be a line.
const READ: usize = 32 * 1024;

/// How much both outputs together may still be: characters, and one for each end of a line.
#[derive(Debug)]
pub(super) struct Meter {
    left: Option<u64>,
    is_over: bool,
}

impl Meter {
    pub(super) const fn new(most: Option<u64>) -> Self {
        Self { left: most, is_over: false }
    }

    /// Whether the limit was passed. Then nothing more is admitted.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether so much more passes.
    fn admits(&mut self, amount: u64) -> bool {
        self.is_over |= self.left.is_some_and(|left| amount > left);
        !self.is_over
    }

    fn take(&mut self, amount: u64) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(amount);
        }
    }
}

/// One output of a program.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) tap: Tap,
    stream: OutputStream,
    /// The beginning of a line whose end has not come.
    begun: String,
    /// Characters of it.
    characters: u64,
}

impl Lines {
    pub(super) const fn new(tap: Tap, stream: OutputStream) -> Self {
        Self { tap, stream, begun: String::new(), characters: 0 }
    }

    /// Reads once, without waiting; whole lines go to `batch`. Whether anything was read.
    pub(super) fn take(&mut self, meter: &mut Meter, batch: &mut Batch) -> bool {
        let Self { tap, stream, begun, characters } = self;
        let mut rest = Begun { stream: *stream, text: begun, characters };
        let was_read = tap.take_once(READ, |text| rest.push(text, meter, batch));
        if self.tap.is_closed() {
            self.finish(meter, batch);
        }
        was_read
    }

    /// No more will come: a line without an end is a line.
    pub(super) fn finish(&mut self, meter: &mut Meter, batch: &mut Batch) {
        let Self { stream, begun, characters, .. } = self;
        if !begun.is_empty() {
            Begun { stream: *stream, text: begun, characters }.end(meter, batch);
        }
    }

    /// As [`Tap::leave`].
    pub(super) fn leave(&mut self, meter: &mut Meter, batch: &mut Batch) -> Option<tokio::net::unix::pipe::Receiver> {
        let Self { tap, stream, begun, characters } = self;
        let mut rest = Begun { stream: *stream, text: begun, characters };
        let pipe = tap.leave(|text| rest.push(text, meter, batch));
        self.finish(meter, batch);
        pipe
    }
}

/// The line that is being put together.
struct Begun<'a> {
    stream: OutputStream,
    text: &'a mut String,
    characters: &'a mut u64,
}

impl Begun<'_> {
    fn push(&mut self, text: &str, meter: &mut Meter, batch: &mut Batch) {
        for piece in text.split_inclusive('\n') {
            let (piece, is_whole) = piece.strip_suffix('\n').map_or((piece, false), |line| (line, true));
            *self.characters += piece.chars().count() as u64;
            // What has begun can't be sent any more, however it goes on.
            if !meter.admits(*self.characters + 1) {
                return;
            }
            self.text.push_str(piece);
            while self.text.len() > LONGEST {
                self.cut(meter, batch);
            }
            if is_whole {
                self.end(meter, batch);
            }
        }
    }

    fn end(&mut self, meter: &mut Meter, batch: &mut Batch) {
        if meter.admits(*self.characters + 1) {
            meter.take(*self.characters + 1);
            batch.push(LineEvent::Line { stream: self.stream, text: std::mem::take(self.text) });
        }
        self.text.clear();
        *self.characters = 0;
    }

    /// The beginning of a line that is too long for one event.
    fn cut(&mut self, meter: &mut Meter, batch: &mut Batch) {
        let rest = self.text.split_off(self.text.floor_char_boundary(LONGEST));
        let text = std::mem::replace(self.text, rest);
        let left = self.text.chars().count() as u64;
        meter.take(*self.characters - left);
        *self.characters = left;
        batch.push(LineEvent::Line { stream: self.stream, text });
    }
}
