//! The archive as it grows.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

use super::{Archive, ArchiveFailure};

/// Bytes that are collected before they are written.
const BUFFER: usize = 128 * 1024;

/// A file being written, behind a buffer. Owns the file; nothing of it is left when it is dropped.
pub(super) struct Output {
    file: File,
    /// What follows the first `written` bytes.
    pending: Vec<u8>,
    written: u64,
    most: u64,
}

impl Output {
    /// Writes into `file`, which is empty, at most `most` bytes.
    pub(super) fn new(file: File, most: u64) -> Self {
        Self { file, pending: Vec::with_capacity(BUFFER), written: 0, most }
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> u64 {
        self.written.saturating_add(self.pending.len() as u64)
    }

    /// Appends.
    ///
    /// # Errors
    /// [`ArchiveFailure::TooLarge`] before anything more than the limit is written.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveFailure> {
        self.leave_room(bytes.len() as u64)?;
        if self.pending.len().saturating_add(bytes.len()) > BUFFER {
            self.flush()?;
        }
        if bytes.len() >= BUFFER {
            return self.put(bytes);
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }

    /// Whether `more` bytes are still allowed.
    pub(super) fn leave_room(&self, more: u64) -> Result<(), ArchiveFailure> {
        if self.len().saturating_add(more) > self.most { Err(ArchiveFailure::TooLarge(self.most)) } else { Ok(()) }
    }

    /// Overwrites what stands from `at` on, all of it written before.
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), ArchiveFailure> {
        let inside = at.checked_sub(self.written).and_then(|from| usize::try_from(from).ok());
        let inside = inside.and_then(|from| self.pending.get_mut(from..)?.get_mut(..bytes.len()));
        match inside {
            Some(place) => place.copy_from_slice(bytes),
            None => {
                // It may lie on both sides.
                self.flush()?;
                self.file.write_all_at(bytes, at).map_err(|error| ArchiveFailure::of_transfer(&error))?;
            }
        }
        Ok(())
    }

    /// The file with everything in it.
    pub(super) fn finish(mut self) -> Result<Archive, ArchiveFailure> {
        self.flush()?;
        Ok(Archive { file: self.file, size: self.written })
    }

    fn flush(&mut self) -> Result<(), ArchiveFailure> {
        let mut pending = std::mem::take(&mut self.pending);
        let put = self.put(&pending);
        pending.clear();
        self.pending = pending;
        put
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ArchiveFailure> {
        self.file.write_all(bytes).map_err(|error| ArchiveFailure::of_transfer(&error))?;
        self.written = self.written.saturating_add(bytes.len() as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::{BUFFER, Output};
    use crate::files::archive::ArchiveFailure;

    fn output(most: u64) -> Output {
        Output::new(tempfile::tempfile().unwrap(), most)
    }

    fn content(output: Output) -> Vec<u8> {
        let finished = output.finish().unwrap();
        let mut content = vec![0; usize::try_from(finished.size).unwrap()];
        finished.file.read_exact_at(&mut content, 0).unwrap();
        content
    }

    #[test]
    fn pieces_of_any_size_come_out_in_order() {
        let mut out = output(u64::MAX);
        let mut expected = Vec::new();
        for size in [1, BUFFER - 1, BUFFER, 3, BUFFER + 1, 0, 2 * BUFFER, 7] {
            let piece = vec![size as u8; size];
            out.write(&piece).unwrap();
            expected.extend_from_slice(&piece);
            assert_eq!(out.len(), expected.len() as u64);
        }
        assert_eq!(content(out), expected);
    }

    #[test]
    fn the_limit_is_exact() {
        let mut out = output(10);
        out.write(b"12345").unwrap();
        assert_eq!(out.write(b"123456"), Err(ArchiveFailure::TooLarge(10)));
        out.write(b"12345").unwrap();
        assert_eq!((out.leave_room(0), out.leave_room(1)), (Ok(()), Err(ArchiveFailure::TooLarge(10))));
        assert_eq!(content(out), b"1234512345");
    }

    #[test]
    fn patches_reach_what_is_written_and_what_is_not() {
        let mut out = output(u64::MAX);
        let filling = vec![b'.'; BUFFER - 2];
        out.write(&filling).unwrap();
        out.write(b"abcdef").unwrap();
        out.patch(0, b"X").unwrap();
        out.patch(BUFFER as u64, b"C").unwrap();
        out.patch(BUFFER as u64 - 4, b"YYAB").unwrap();
        let content = content(out);
        assert_eq!(content.first(), Some(&b'X'));
        assert_eq!(content[BUFFER - 4..], *b"YYABCdef");
    }
}
