//! Reading a whole file that the operator named, and nothing else that may have come to stand under its name.
//!
//! A file may become a pipe that nobody writes to, or a device without end: neither is waited for, and no more than the
//! limit is ever read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, open, stat};
use rustix::io::Errno;
use thiserror::Error;

/// A terminal would become ours, a pipe would be waited for.
const CAREFUL: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadFailure {
    /// It is a directory, a device, a socket, or a pipe where none is taken.
    #[error("not a regular file")]
    NotAFile,
    /// It is larger than what was asked for.
    #[error("larger than {most} bytes")]
    TooLarge {
        /// The limit.
        most: u64,
    },
    /// A pipe's other end did not write, or did not end.
    #[error("a pipe that has not come to its end within {} s", .0.as_secs())]
    Slow(Duration),
    /// The operating system refused.
    #[error(transparent)]
    Os(#[from] io::Error),
}

/// Reads the regular file `path`, of at most `most` bytes. Links are followed. Blocks.
///
/// # Errors
/// [`ReadFailure`]; nothing is opened that is known to be no regular file.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>, ReadFailure> {
    let (file, kind) = named(path, most, false)?;
    if kind == FileType::RegularFile { bounded(file, most) } else { Err(ReadFailure::NotAFile) }
}

/// As [`read_whole`], and takes a pipe too (`/dev/stdin`, a shell's `<(…)`), if its end comes within `patience`.
///
/// # Errors
/// As [`read_whole`].
pub fn read_whole_or_pipe(path: &Path, most: u64, patience: Duration) -> Result<Vec<u8>, ReadFailure> {
    let (file, kind) = named(path, most, true)?;
    match kind {
        FileType::RegularFile => bounded(file, most),
        FileType::Fifo => piped(file, most, patience),
        _ => Err(ReadFailure::NotAFile),
    }
}

/// Whether `path` leads to a pipe.
#[must_use]
pub fn is_pipe(path: &Path) -> bool {
    stat(path).is_ok_and(|found| kind(&found) == FileType::Fifo)
}

fn named(path: &Path, most: u64, pipes: bool) -> Result<(File, FileType), ReadFailure> {
    // Looked at before it is opened, as an open alone may do something to a device.
    admit(&stat(path).map_err(io::Error::from)?, most, pipes)?;
    let file = open(path, CAREFUL, Mode::empty()).map_err(io::Error::from)?;
    // Something else may stand there by now; the descriptor is what counts.
    let opened = fstat(&file).map_err(io::Error::from)?;
    admit(&opened, most, pipes)?;
    Ok((File::from(file), kind(&opened)))
}

fn admit(found: &Stat, most: u64, pipes: bool) -> Result<(), ReadFailure> {
    match kind(found) {
        FileType::RegularFile if u64::try_from(found.st_size).is_ok_and(|size| size > most) => {
            Err(ReadFailure::TooLarge { most })
        }
        FileType::RegularFile => Ok(()),
        FileType::Fifo if pipes => Ok(()),
        _ => Err(ReadFailure::NotAFile),
    }
}

fn kind(found: &Stat) -> FileType {
    FileType::from_raw_mode(found.st_mode)
}

fn bounded(file: File, most: u64) -> Result<Vec<u8>, ReadFailure> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    within(bytes, most)
}

fn piped(mut pipe: File, most: u64, patience: Duration) -> Result<Vec<u8>, ReadFailure> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    loop {
        let left = most.saturating_add(1).saturating_sub(bytes.len() as u64);
        match (&mut pipe).take(left).read_to_end(&mut bytes) {
            // Nothing yet is no end: whoever is to write may not have opened it.
            Ok(_) if bytes.is_empty() => {}
            Ok(_) => return within(bytes, most),
            Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => {}
            Err(cause) => return Err(cause.into()),
        }
        let rest = patience.checked_sub(begun.elapsed()).ok_or(ReadFailure::Slow(patience))?;
        let rest = Timespec::try_from(rest).map_err(|_| io::Error::from(Errno::INVAL))?;
        let mut waited = [PollFd::new(&pipe, PollFlags::IN)];
        match poll(&mut waited, Some(&rest)) {
            Ok(0) => return Err(ReadFailure::Slow(patience)),
            // Its other end was closed, and nothing had come.
            Ok(_) if bytes.is_empty() && waited.iter().all(|pipe| pipe.revents() == PollFlags::HUP) => {
                return Ok(bytes);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(io::Error::from(errno).into()),
        }
    }
}

fn within(bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, ReadFailure> {
    if bytes.len() as u64 > most { Err(ReadFailure::TooLarge { most }) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use super::{ReadFailure, read_whole, read_whole_or_pipe};

    const PATIENCE: Duration = Duration::from_secs(30);

    /// The name of a descriptor, as a shell's `<(…)` gives it.
    fn name(end: &impl AsRawFd) -> PathBuf {
        PathBuf::from(format!("/dev/fd/{}", end.as_raw_fd()))
    }

    #[test]
    fn a_file_of_the_largest_size_is_read_and_one_byte_more_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read_whole(&file, 5).unwrap(), b"12345");
        assert_eq!(read_whole_or_pipe(&file, 5, PATIENCE).unwrap(), b"12345");
        assert!(matches!(read_whole(&file, 4), Err(ReadFailure::TooLarge { most: 4 })));
        // Files of the kernel say nothing of their size.
        assert!(matches!(read_whole(Path::new("/proc/self/status"), 4), Err(ReadFailure::TooLarge { .. })));
        let missing = read_whole(&folder.path().join("none"), 5).unwrap_err();
        assert!(matches!(missing, ReadFailure::Os(cause) if cause.kind() == std::io::ErrorKind::NotFound));
    }

    #[test]
    fn what_is_no_regular_file_is_neither_read_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        for path in [folder.path(), &pipe, Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert!(matches!(read_whole(path, 5), Err(ReadFailure::NotAFile)), "{path:?}");
        }
        for path in [folder.path(), Path::new("/dev/zero")] {
            assert!(matches!(read_whole_or_pipe(path, 5, PATIENCE), Err(ReadFailure::NotAFile)), "{path:?}");
        }
    }

    #[test]
    fn a_pipe_is_read_to_its_end() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let path = name(&reader);
        let read = std::thread::spawn(move || read_whole_or_pipe(&path, 100_000, PATIENCE));
        for _ in 0..10 {
            writer.write_all(&[b'x'; 10_000]).unwrap();
        }
        drop(writer);
        assert_eq!(read.join().unwrap().unwrap().len(), 100_000);
    }

    #[test]
    fn a_pipe_without_end_is_left_at_the_limit_and_at_the_deadline() {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"123456").unwrap();
        assert!(matches!(read_whole_or_pipe(&name(&reader), 5, PATIENCE), Err(ReadFailure::TooLarge { .. })));
        writer.write_all(b"1234").unwrap();
        let slow = read_whole_or_pipe(&name(&reader), 50, Duration::from_millis(20));
        assert!(matches!(slow, Err(ReadFailure::Slow(_))), "{slow:?}");
        drop(writer);
        let mut left = Vec::new();
        reader.read_to_end(&mut left).unwrap();
        assert_eq!(left, b"", "it was taken");
    }
}
