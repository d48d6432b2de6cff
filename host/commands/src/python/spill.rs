//! A result that arrives in parts: in memory while it is small, else in a file without a name.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use abxd_capabilities::process::CapturedText;
use bytes::Bytes;
use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create, open};

/// Most bytes that stay in memory.
const MEMORY: usize = 1 << 20;

/// What has arrived so far. The file goes with it.
#[derive(Debug, Default)]
pub(super) struct Spill {
    memory: Vec<u8>,
    file: Option<Arc<File>>,
    size: u64,
}

impl Spill {
    /// Keep the next part.
    pub(super) async fn push(&mut self, part: Vec<u8>, scratch: &Arc<Path>) -> io::Result<()> {
        self.size += part.len() as u64;
        if self.memory.is_empty() && self.file.is_none() && part.len() <= MEMORY {
            self.memory = part;
            return Ok(());
        }
        if self.file.is_none() && self.memory.len() + part.len() <= MEMORY {
            self.memory.extend_from_slice(&part);
            return Ok(());
        }
        let (memory, file, scratch) = (std::mem::take(&mut self.memory), self.file.take(), scratch.clone());
        let write = move || {
            let file = match file {
                Some(file) => file,
                None => Arc::new(unnamed(&scratch)?),
            };
            (&*file).write_all(&memory)?;
            (&*file).write_all(&part)?;
            Ok::<_, io::Error>(file)
        };
        self.file = Some(tokio::task::spawn_blocking(write).await??);
        Ok(())
    }

    /// All of it.
    pub(super) fn finish(self) -> CapturedText {
        match self.file {
            Some(file) => CapturedText::File(file, self.size),
            None => CapturedText::Memory(Bytes::from(self.memory)),
        }
    }
}

/// A file without a name; where the directory can't have one, memory of the kernel's.
fn unnamed(directory: &Path) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match open(directory, flags, Mode::RUSR | Mode::WUSR) {
        Ok(file) => Ok(file.into()),
        Err(_) => Ok(memfd_create(c"abxd-result", MemfdFlags::CLOEXEC)?.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use abxd_capabilities::process::CapturedText;

    use super::{MEMORY, Spill};

    async fn spilt(parts: &[&[u8]]) -> CapturedText {
        let scratch: Arc<Path> = std::env::temp_dir().into();
        let mut spill = Spill::default();
        for part in parts {
            spill.push(part.to_vec(), &scratch).await.unwrap();
        }
        spill.finish()
    }

    #[tokio::test]
    async fn small_results_stay_in_memory_and_large_ones_do_not() {
        let small = spilt(&[b"[1,", b"2]"]).await;
        assert!(matches!(&small, CapturedText::Memory(bytes) if &bytes[..] == b"[1,2]"));
        assert!(matches!(spilt(&[]).await, CapturedText::Memory(bytes) if bytes.is_empty()));
        let part = vec![b'x'; MEMORY];
        let large = spilt(&[&part, b"y", &part]).await;
        assert!(matches!(large, CapturedText::File(..)));
        assert_eq!(large.size(), 2 * MEMORY as u64 + 1);
        assert_eq!(large.read().unwrap(), [&part[..], b"y", &part].concat());
    }
}
