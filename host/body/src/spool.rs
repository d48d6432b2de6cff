//! Bulk bytes of a body, kept aside: in memory while they are few, else in a file without a name.
//!
//! A [`SpoolWriter`] owns the bytes while they arrive and its [`Spool`] afterwards; the memory or the file goes with
//! the last of them, also when a request is given up half-way. Nothing else refers to the file: it has no name, can't
//! be linked, and is closed on exec.
//!
//! Everything here is synchronous, because both ends already run where blocking is allowed: the writer below
//! [`read`](crate::read), which hands batches to a blocking thread as soon as a body is larger than what memory takes,
//! and the reader below the file operations. [`Spool::as_memory`] tells when no thread is needed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::MemfdFlags;

/// Bytes of a file that are collected before they are written.
const WRITE_BUFFER: usize = 64 * 1024;

/// Where bulk bytes are kept.
#[derive(Clone, Debug)]
pub struct SpoolConfig {
    /// Largest number of bytes that stay in memory.
    pub memory: usize,
    /// Directory of the files. Without one, or if no file can be made there, the kernel's memory is used (memfd).
    pub directory: Option<Arc<Path>>,
}

/// Up to 1 MiB stays in memory; no directory.
impl Default for SpoolConfig {
    fn default() -> Self {
        Self { memory: 1024 * 1024, directory: None }
    }
}

impl SpoolConfig {
    /// A file that has no name.
    fn file(&self) -> io::Result<File> {
        match self.directory.as_deref().map(tempfile::tempfile_in) {
            Some(Ok(file)) => Ok(file),
            _ => Ok(File::from(rustix::fs::memfd_create(c"abxd-spool", MemfdFlags::CLOEXEC)?)),
        }
    }
}

/// Bytes that are still arriving.
#[derive(Debug)]
pub struct SpoolWriter {
    config: SpoolConfig,
    store: Arriving,
    size: u64,
}

#[derive(Debug)]
enum Arriving {
    Memory(Vec<u8>),
    File(BufWriter<File>),
}

impl SpoolWriter {
    /// An empty writer. Memory and file are taken only as bytes arrive.
    pub fn new(config: SpoolConfig) -> Self {
        Self { config, store: Arriving::Memory(Vec::new()), size: 0 }
    }

    /// Append bytes. Blocks on the file once there are more than [`SpoolConfig::memory`]. After an error the writer is
    /// of no more use.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.store {
            Arriving::Memory(kept) if kept.len().saturating_add(bytes.len()) <= self.config.memory => {
                kept.extend_from_slice(bytes);
            }
            Arriving::Memory(kept) => {
                let mut file = BufWriter::with_capacity(WRITE_BUFFER, self.config.file()?);
                file.write_all(kept)?;
                file.write_all(bytes)?;
                self.store = Arriving::File(file);
            }
            Arriving::File(file) => file.write_all(bytes)?,
        }
        self.size = self.size.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Bytes so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Close for writing, open for reading.
    pub fn finish(self) -> io::Result<Spool> {
        let store = match self.store {
            Arriving::Memory(kept) => Store::Memory(kept),
            Arriving::File(file) => Store::File(file.into_inner().map_err(io::IntoInnerError::into_error)?),
        };
        Ok(Spool { store, size: self.size })
    }
}

/// Bytes that have arrived. They can be read any number of times, by several readers at once.
#[derive(Debug)]
pub struct Spool {
    store: Store,
    size: u64,
}

#[derive(Debug)]
enum Store {
    Memory(Vec<u8>),
    File(File),
}

impl Spool {
    /// Number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All the bytes, if they are in memory: reading them then never blocks.
    pub fn as_memory(&self) -> Option<&[u8]> {
        match &self.store {
            Store::Memory(kept) => Some(kept),
            Store::File(_) => None,
        }
    }

    /// Read from `offset` on, as many bytes as come at once. 0 means the end, or an empty `buffer`. Blocks if the bytes
    /// are in a file.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match &self.store {
            Store::Memory(kept) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX);
                kept.get(from..).unwrap_or_default().read(buffer)
            }
            Store::File(file) => file.read_at(buffer, offset),
        }
    }

    /// A reader from the start. Blocks if the bytes are in a file.
    pub fn reader(&self) -> SpoolReader<'_> {
        SpoolReader { spool: self, offset: 0 }
    }
}

/// Reads a spool from the start to the end.
#[derive(Debug)]
pub struct SpoolReader<'a> {
    spool: &'a Spool,
    offset: u64,
}

impl Read for SpoolReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.spool.read_at(buffer, self.offset)?;
        self.offset = self.offset.saturating_add(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;

    use super::{Spool, SpoolConfig, SpoolWriter};

    fn spooled(config: SpoolConfig, chunks: &[&[u8]]) -> Spool {
        let mut writer = SpoolWriter::new(config);
        for chunk in chunks {
            writer.write(chunk).unwrap();
        }
        writer.finish().unwrap()
    }

    fn all(spool: &Spool) -> Vec<u8> {
        let mut bytes = Vec::new();
        spool.reader().read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn in_directory(directory: &Path, memory: usize) -> SpoolConfig {
        SpoolConfig { memory, directory: Some(directory.into()) }
    }

    #[test]
    fn bytes_stay_in_memory_up_to_the_limit() {
        let spool = spooled(SpoolConfig { memory: 6, directory: None }, &[b"abc", b"def"]);
        assert_eq!(spool.as_memory(), Some(&b"abcdef"[..]));
        let spool = spooled(SpoolConfig { memory: 6, directory: None }, &[b"abc", b"defg"]);
        assert_eq!(spool.as_memory(), None);
        assert_eq!(all(&spool), b"abcdefg");
        assert_eq!(spool.size(), 7);
    }

    #[test]
    fn default_keeps_one_mebibyte_in_memory() {
        let block = vec![7; 1024 * 1024];
        assert!(spooled(SpoolConfig::default(), &[&block]).as_memory().is_some());
        assert!(spooled(SpoolConfig::default(), &[&block, b"x"]).as_memory().is_none());
    }

    #[test]
    fn reads_repeat_and_start_anywhere() {
        for memory in [0, 100] {
            let spool = spooled(SpoolConfig { memory, directory: None }, &[b"hello ", b"", b"world"]);
            assert_eq!(all(&spool), b"hello world");
            assert_eq!(all(&spool), b"hello world");
            let mut buffer = [0; 5];
            assert_eq!(spool.read_at(&mut buffer, 6).unwrap(), 5);
            assert_eq!(&buffer, b"world");
            assert_eq!(spool.read_at(&mut buffer, 11).unwrap(), 0);
            assert_eq!(spool.read_at(&mut buffer, 1 << 40).unwrap(), 0);
        }
    }

    #[test]
    fn file_has_no_name() {
        let directory = tempfile::tempdir().unwrap();
        let spool = spooled(in_directory(directory.path(), 4), &[b"0123456789"]);
        assert_eq!(all(&spool), b"0123456789");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn unusable_directory_falls_back_to_memfd() {
        let spool = spooled(in_directory(Path::new("/nonexistent/spool"), 4), &[b"0123456789"]);
        assert_eq!(all(&spool), b"0123456789");
    }

    #[test]
    fn empty_spool_reads_as_empty() {
        assert_eq!(all(&spooled(SpoolConfig::default(), &[])), b"");
    }
}
