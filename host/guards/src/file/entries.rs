//! Reading a directory, one kernel buffer at a time.

use std::ffi::{OsStr, OsString};
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{RawDir, SeekFrom, seek};
use rustix::io::Errno;

use super::facts::Kind;

/// Bytes asked of the kernel at a time: about a thousand entries with short names.
const BUFFER: usize = 32 * 1024;

/// One entry of a directory.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, any bytes but `/` and NUL.
    pub name: OsString,
    /// Its kind, where the file system tells it with the name.
    pub kind: Option<Kind>,
}

/// A batch of entries and where to read on.
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    /// Position behind the last entry, as the file system counts.
    pub(super) next: u64,
}

/// Reads the next batch of `dir` from where its descriptor stands. An empty batch is the end.
pub(super) fn read(dir: BorrowedFd<'_>) -> Result<Batch, Errno> {
    let mut buffer: Vec<u8> = Vec::with_capacity(BUFFER);
    let mut raw = RawDir::new(dir, buffer.spare_capacity_mut());
    let mut batch = Batch { entries: Vec::new(), next: 0 };
    while let Some(entry) = raw.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        batch.next = entry.next_entry_cookie();
        if name != b"." && name != b".." {
            let kind = Kind::of(entry.file_type());
            batch.entries.push(Entry { name: OsStr::from_bytes(name).to_owned(), kind });
        }
        // A buffer that held nothing but the two dots is not the end.
        if raw.is_buffer_empty() && !batch.entries.is_empty() {
            break;
        }
    }
    Ok(batch)
}

/// Puts the descriptor's position to `next` of an earlier batch, or to the start (0).
pub(super) fn reposition(dir: BorrowedFd<'_>, next: u64) -> Result<(), Errno> {
    seek(dir, SeekFrom::Start(next)).map(drop)
}
