//! Compressing.

use flate2::{Compress, Compression, FlushCompress, Status};
use rustix::io::Errno;

use super::ArchiveFailure;
use super::output::Output;

/// Compressed bytes that are made before they are written.
const BUFFER: usize = 64 * 1024;

/// A raw deflate stream, and the next one after its end.
pub(super) struct Deflate {
    state: Compress,
    made: Vec<u8>,
}

impl Deflate {
    pub(super) fn new(level: Compression) -> Self {
        Self { state: Compress::new(level, false), made: Vec::with_capacity(BUFFER) }
    }

    /// Compresses `bytes` into `out`, sooner or later.
    pub(super) fn write(&mut self, mut bytes: &[u8], out: &mut Output) -> Result<(), ArchiveFailure> {
        while !bytes.is_empty() {
            let before = self.state.total_in();
            self.step(bytes, FlushCompress::None, out)?;
            let taken = usize::try_from(self.state.total_in() - before).unwrap_or(usize::MAX);
            bytes = bytes.get(taken..).unwrap_or_default();
        }
        Ok(())
    }

    /// Ends the stream and is ready for another one.
    pub(super) fn finish(&mut self, out: &mut Output) -> Result<(), ArchiveFailure> {
        while self.step(&[], FlushCompress::Finish, out)? != Status::StreamEnd {}
        self.state.reset();
        Ok(())
    }

    fn step(&mut self, bytes: &[u8], flush: FlushCompress, out: &mut Output) -> Result<Status, ArchiveFailure> {
        self.made.clear();
        // It can't fail: the state is sound, and there is room.
        let status = self.state.compress_vec(bytes, &mut self.made, flush).map_err(|_| Errno::IO)?;
        out.write(&self.made)?;
        Ok(status)
    }
}
