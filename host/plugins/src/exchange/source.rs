//! Bytes of the host that an answer carries.

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use rustix::io::{ReadWriteFlags, preadv2};

/// A file or bytes in memory, or a part of them. Owned by the answer that carries it; a file is closed with it.
#[derive(Debug)]
pub struct Source {
    content: Content,
    offset: u64,
    length: u64,
}

#[derive(Debug)]
enum Content {
    File(Arc<File>),
    Memory(Bytes),
}

impl Source {
    /// The first `length` bytes of an open file.
    #[must_use]
    pub fn file(file: impl Into<Arc<File>>, length: u64) -> Self {
        Self { content: Content::File(file.into()), offset: 0, length }
    }

    /// Bytes that are there.
    #[must_use]
    pub fn memory(bytes: Bytes) -> Self {
        let length = bytes.len() as u64;
        Self { content: Content::Memory(bytes), offset: 0, length }
    }

    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether taking never blocks and never fails.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        matches!(self.content, Content::Memory(_))
    }

    /// Keep `length` bytes from `offset` on, both cut to what there is.
    pub fn narrow(&mut self, offset: u64, length: u64) {
        let offset = offset.min(self.length);
        self.offset = self.offset.saturating_add(offset);
        self.length = length.min(self.length - offset);
    }

    /// Take up to `most` bytes off the front. Blocks: call it where that is allowed.
    ///
    /// # Errors
    /// `UnexpectedEof` when the file has become shorter than it was when the answer began, else the system's error.
    pub fn take(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let wanted = self.cut(most);
        let bytes = match &self.content {
            Content::File(file) => {
                let mut bytes = vec![0; wanted];
                file.read_exact_at(&mut bytes, self.offset)?;
                bytes
            }
            Content::Memory(bytes) => part(bytes, self.offset, wanted),
        };
        self.advance(bytes.len());
        Ok(bytes)
    }

    /// Take up to `most` bytes off the front, as far as they are in memory. `None`: the disk must be waited for, or the
    /// file system does not tell; [`Source::take`] does then. Does not block.
    ///
    /// # Errors
    /// As [`Source::take`].
    pub fn take_ready(&mut self, most: usize) -> io::Result<Option<Vec<u8>>> {
        let file = match &self.content {
            Content::File(file) if !self.is_empty() => file,
            Content::File(_) | Content::Memory(_) => return self.take(most).map(Some),
        };
        let mut bytes = vec![0; self.cut(most)];
        match preadv2(file, &mut [IoSliceMut::new(&mut bytes)], self.offset, ReadWriteFlags::NOWAIT) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes.truncate(read);
                self.advance(read);
                Ok(Some(bytes))
            }
            // Whatever it is: the read that may block finds out, and says so better.
            Err(_) => Ok(None),
        }
    }

    fn cut(&self, most: usize) -> usize {
        usize::try_from(self.length).unwrap_or(usize::MAX).min(most)
    }

    fn advance(&mut self, taken: usize) {
        self.offset = self.offset.saturating_add(taken as u64);
        self.length = self.length.saturating_sub(taken as u64);
    }
}

/// `length` bytes from `offset` on, as far as there are any.
fn part(bytes: &[u8], offset: u64, length: usize) -> Vec<u8> {
    let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
    rest.get(..length).unwrap_or(rest).to_vec()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Bytes, Source};

    /// The same bytes in a file and in memory.
    fn sources(text: &'static [u8]) -> [Source; 2] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        [Source::file(file, text.len() as u64), Source::memory(Bytes::from_static(text))]
    }

    #[test]
    fn narrowing_cuts_to_what_is_there() {
        for (offset, length, rest) in
            [(0, 99, "abcdef"), (2, 2, "cd"), (4, u64::MAX, "ef"), (6, 1, ""), (u64::MAX, u64::MAX, "")]
        {
            for mut source in sources(b"abcdef") {
                source.narrow(offset, length);
                assert_eq!(source.len(), rest.len() as u64);
                assert_eq!(source.take(100).unwrap(), rest.as_bytes());
                assert!(source.is_empty() && source.take(100).unwrap().is_empty());
            }
        }
    }

    #[test]
    fn narrowing_twice_counts_from_the_first_part() {
        for mut source in sources(b"abcdef") {
            source.narrow(1, 4);
            source.narrow(1, 2);
            assert_eq!(source.take(1).unwrap(), b"c");
            assert_eq!(source.take(100).unwrap(), b"d");
        }
    }

    #[test]
    fn a_file_that_shrank_is_an_error_and_not_padding() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abc").unwrap();
        let mut source = Source::file(file, 10);
        assert_eq!(source.take(10).unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_ready_is_the_same_as_what_is_waited_for() {
        for mut source in sources(b"abcdef") {
            let mut taken = Vec::new();
            while !source.is_empty() {
                // Which of the two a file system takes is its own affair.
                let bytes = source.take_ready(4).unwrap();
                taken.extend(bytes.map_or_else(|| source.take(4), Ok).unwrap());
            }
            assert_eq!(taken, b"abcdef");
            assert_eq!(source.take_ready(4).unwrap(), Some(Vec::new()));
        }
    }
}
