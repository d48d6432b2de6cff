//! The kernel's notices: one inotify descriptor.
//!
//! A [`Kernel`] owns the descriptor and, through it, every watch; closing it ends them all. It is shared by the waiting
//! side, which reads it, and the turns, which add and remove watches.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::inotify::{CreateFlags, Event, ReadFlags, Reader, WatchFlags, add_watch, init, remove_watch};
use rustix::io::Errno;

/// Bytes of notices that are read at once: between 240 and 4000 of them.
const BUFFER: usize = 64 * 1024;

/// What is asked of a watch: comings and goings, writes, attributes (for times), and the end of the directory itself.
/// Nothing of entries that were unlinked and are still open.
const MASK: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::EXCL_UNLINK);

/// One watch of a [`Kernel`]. Numbers are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WatchId(i32);

/// What happened to an entry of a watched directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// Made under this name.
    Made,
    /// Renamed to this name.
    MovedHere,
    /// Unlinked.
    Unlinked,
    /// Renamed from this name.
    MovedAway,
    /// Written to or cut.
    Written,
    /// Closed after writing, or attributes set: times may have changed.
    Touched,
}

/// What the kernel tells.
#[derive(Debug)]
pub(super) enum Notice {
    /// The queue was full: something is missing here.
    Overflow,
    /// The watched directory itself was removed, moved, or its file system unmounted.
    Left(WatchId),
    /// The kernel gave the watch up.
    Unwatched(WatchId),
    /// Something happened to an entry.
    Entry {
        /// The directory.
        watch: WatchId,
        /// The entry.
        name: OsString,
        /// Whether it is a real directory.
        is_dir: bool,
        /// What happened.
        happening: Happening,
    },
}

#[derive(Debug)]
pub(super) struct Kernel {
    descriptor: OwnedFd,
}

impl Kernel {
    /// # Errors
    /// `EMFILE` when the user has as many as the system allows.
    pub(super) fn open() -> Result<Self, Errno> {
        Ok(Self { descriptor: init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)? })
    }

    /// Watches an open directory. The same directory gets the same watch again.
    ///
    /// # Errors
    /// `ENOSPC` when the user has as many as the system allows; `ENOENT` without `/proc`; `EACCES` for a directory that
    /// may not be read.
    pub(super) fn watch(&self, dir: BorrowedFd<'_>) -> Result<WatchId, Errno> {
        let path = format!("/proc/self/fd/{}", dir.as_raw_fd());
        add_watch(&self.descriptor, path, MASK).map(WatchId)
    }

    /// Ends a watch, if the kernel hasn't yet.
    pub(super) fn unwatch(&self, watch: WatchId) {
        // The only failure is that there is no such watch any more.
        let _ = remove_watch(&self.descriptor, watch.0);
    }

    /// The notices of one read, without waiting.
    ///
    /// # Errors
    /// `WouldBlock` when there are none.
    pub(super) fn read(&self) -> io::Result<Vec<Notice>> {
        let mut buffer: Vec<u8> = Vec::with_capacity(BUFFER);
        let mut reader = Reader::new(&self.descriptor, buffer.spare_capacity_mut());
        let mut notices = Vec::new();
        loop {
            notices.extend(Notice::of(&reader.next()?));
            if reader.is_buffer_empty() {
                return Ok(notices);
            }
        }
    }
}

impl AsRawFd for Kernel {
    fn as_raw_fd(&self) -> RawFd {
        self.descriptor.as_fd().as_raw_fd()
    }
}

impl Notice {
    fn of(event: &Event<'_>) -> Option<Self> {
        let (flags, watch) = (event.events(), WatchId(event.wd()));
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return Some(Self::Overflow);
        }
        if flags.contains(ReadFlags::IGNORED) {
            return Some(Self::Unwatched(watch));
        }
        if flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF | ReadFlags::UNMOUNT) {
            return Some(Self::Left(watch));
        }
        // What has no name is about the watched directory's own attributes.
        let name = OsStr::from_bytes(event.file_name()?.to_bytes()).to_owned();
        let happening = [
            (ReadFlags::CREATE, Happening::Made),
            (ReadFlags::MOVED_TO, Happening::MovedHere),
            (ReadFlags::DELETE, Happening::Unlinked),
            (ReadFlags::MOVED_FROM, Happening::MovedAway),
            (ReadFlags::MODIFY, Happening::Written),
            (ReadFlags::CLOSE_WRITE | ReadFlags::ATTRIB, Happening::Touched),
        ];
        let (_, happening) = happening.into_iter().find(|(flag, _)| flags.intersects(*flag))?;
        Some(Self::Entry { watch, name, is_dir: flags.contains(ReadFlags::ISDIR), happening })
    }
}
