//! Reading a child's pipe.

use std::future::pending;
use std::io;

use tokio::net::unix::pipe::Receiver;

use super::decoder::Decoder;

/// Bytes of one read: what a pipe holds.
const READ: usize = 64 * 1024;

/// Reads at once before others get their turn.
const READS: usize = 16;

/// One pipe of a child, with what decodes it. Closed as soon as it has ended.
#[derive(Debug)]
pub(crate) struct Tap {
    pipe: Option<Receiver>,
    decoder: Decoder,
    /// Bytes that were in the pipe when the child ended and have not been read.
    due: u64,
}

impl Tap {
    pub(crate) fn new(pipe: Option<Receiver>) -> Self {
        Self { pipe, decoder: Decoder::default(), due: 0 }
    }

    /// Waits until there is something to take; for ever once the pipe has ended.
    pub(crate) async fn ready(&self) {
        match &self.pipe {
            // An error shows in the read.
            Some(pipe) => drop(pipe.readable().await),
            None => pending().await,
        }
    }

    /// Takes what is there, or a good part of it, and hands out its text. Does not wait.
    pub(crate) fn take(&mut self, mut out: impl FnMut(&str)) {
        let mut buffer = [0; READ];
        for _ in 0..READS {
            if !self.read(&mut buffer, &mut out) {
                return;
            }
        }
    }

    /// The same for at most one read of `most` bytes. Whether anything was read.
    pub(crate) fn take_once(&mut self, most: usize, mut out: impl FnMut(&str)) -> bool {
        let mut buffer = [0; READ];
        let length = most.min(READ);
        self.read(buffer.get_mut(..length).unwrap_or_default(), &mut out)
    }

    fn read(&mut self, buffer: &mut [u8], out: &mut impl FnMut(&str)) -> bool {
        let Some(pipe) = &self.pipe else { return false };
        match pipe.try_read(buffer) {
            Ok(length @ 1..) => {
                self.due = self.due.saturating_sub(length as u64);
                self.decoder.decode(buffer.get(..length).unwrap_or_default(), out);
                true
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.due = 0;
                false
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Ok(0) | Err(_) => {
                self.close(out);
                false
            }
        }
    }

    fn close(&mut self, out: &mut impl FnMut(&str)) {
        self.pipe = None;
        self.due = 0;
        self.decoder.finish(out);
    }

    /// Whether the pipe has ended.
    pub(crate) const fn is_closed(&self) -> bool {
        self.pipe.is_none()
    }

    /// The child has ended: what is in the pipe now was written before, and has to be taken.
    pub(crate) fn child_ended(&mut self) {
        self.due = self.pipe.as_ref().and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok()).unwrap_or(0);
    }

    /// Whether anything is left of that.
    pub(crate) const fn is_due(&self) -> bool {
        self.due > 0
    }

    /// Gives the pipe away. An incomplete character at the end will not be completed for us.
    pub(crate) fn leave(&mut self, mut out: impl FnMut(&str)) -> Option<Receiver> {
        let pipe = self.pipe.take();
        self.close(&mut out);
        pipe
    }
}
