//! Output that is kept to be answered: in memory while it is small, else in a file without a name.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create, open};

/// Most bytes that stay in memory.
const MEMORY: usize = 1024 * 1024;

/// Most bytes that are kept where nobody has set a limit (`contract: process §2`).
const SAFETY_CAP: u64 = 64 * 1024 * 1024;

/// Decoded output: whole characters, cut at the limit.
#[derive(Debug)]
pub struct Captured {
    /// What was kept.
    pub text: CapturedText,
    /// Whether more was written.
    pub truncated: bool,
}

/// Where output is kept.
#[derive(Debug)]
pub enum CapturedText {
    /// In memory.
    Memory(Bytes),
    /// In a file without a name, of this many bytes.
    File(Arc<File>, u64),
}

impl CapturedText {
    /// Bytes of it.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Memory(text) => text.len() as u64,
            Self::File(_, size) => *size,
        }
    }

    /// All of it, for whoever needs it in one piece. Blocks if it is in a file.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(text) => Ok(text.to_vec()),
            Self::File(file, size) => {
                let mut text = vec![0; usize::try_from(*size).unwrap_or(usize::MAX)];
                file.read_exact_at(&mut text, 0)?;
                Ok(text)
            }
        }
    }
}

/// Keeps what comes until there is enough.
#[derive(Debug)]
pub(crate) struct Capture {
    memory: Vec<u8>,
    file: Option<Arc<File>>,
    /// Bytes kept, in memory and in the file.
    kept: u64,
    most: u64,
    truncated: bool,
    scratch: Arc<Path>,
}

impl Capture {
    /// For at most `most` bytes; files go to the directory `scratch`.
    pub(crate) fn new(most: Option<u64>, scratch: Arc<Path>) -> Self {
        let most = most.unwrap_or(SAFETY_CAP);
        Self { memory: Vec::new(), file: None, kept: 0, most, truncated: false, scratch }
    }

    /// Keeps as many whole characters as there is room for. After the first that did not fit nothing is kept.
    pub(crate) fn push(&mut self, text: &str) {
        if self.truncated {
            return;
        }
        let room = usize::try_from(self.most - self.kept).unwrap_or(usize::MAX);
        let fits = text.get(..text.floor_char_boundary(room)).unwrap_or_default();
        self.memory.extend_from_slice(fits.as_bytes());
        self.kept += fits.len() as u64;
        self.truncated = fits.len() < text.len();
    }

    /// Writes what memory has too much of to the file, on a thread that may block.
    pub(crate) async fn spill(&mut self) -> io::Result<()> {
        if self.memory.len() <= MEMORY {
            return Ok(());
        }
        let (memory, file, scratch) = (std::mem::take(&mut self.memory), self.file.take(), Arc::clone(&self.scratch));
        let write = move || {
            let file = match file {
                Some(file) => file,
                None => Arc::new(unnamed(&scratch)?),
            };
            (&*file).write_all(&memory)?;
            Ok::<_, io::Error>((file, memory))
        };
        let (file, mut memory) = tokio::task::spawn_blocking(write).await??;
        memory.clear();
        self.memory = memory;
        self.file = Some(file);
        Ok(())
    }

    /// What was kept.
    pub(crate) async fn finish(mut self) -> io::Result<Captured> {
        if let Some(file) = self.file.take() {
            let memory = self.memory;
            let write = move || (&*file).write_all(&memory).map(|()| file);
            let file = tokio::task::spawn_blocking(write).await??;
            return Ok(Captured { text: CapturedText::File(file, self.kept), truncated: self.truncated });
        }
        Ok(Captured { text: CapturedText::Memory(self.memory.into()), truncated: self.truncated })
    }
}

/// A file without a name; where the directory can't have one, memory of the kernel's.
fn unnamed(directory: &Path) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match open(directory, flags, Mode::RUSR | Mode::WUSR) {
        Ok(file) => Ok(file.into()),
        Err(_) => Ok(memfd_create(c"abxd-output", MemfdFlags::CLOEXEC)?.into()),
    }
}
