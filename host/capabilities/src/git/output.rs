//! What a run writes to its standard output, read on a thread that may block, and not beyond the run's deadline.

use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};

/// The reading end of the pipe.
#[derive(Debug)]
pub(super) struct Output {
    pipe: OwnedFd,
    deadline: Instant,
    /// Whether the end has been read.
    pub(super) ended: bool,
}

impl Output {
    pub(super) const fn new(pipe: OwnedFd, deadline: Instant) -> Self {
        Self { pipe, deadline, ended: false }
    }

    /// Waits until there is something to read.
    fn wait(&self) -> io::Result<()> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|_| Errno::INVAL)?;
        match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(&left))? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}

impl Read for Output {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        let count = read(&self.pipe, &mut *into)?;
        self.ended = count == 0 && !into.is_empty();
        Ok(count)
    }
}
