//! The facts of one file, free of the platform's types.

use std::ffi::OsStr;
use std::os::fd::AsFd;

use rustix::fs::{AtFlags, FileType, Statx, StatxFlags, StatxTimestamp, statx};
use rustix::io::Errno;

/// What kind of thing a name or descriptor stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A FIFO.
    Fifo,
    /// A socket.
    Socket,
    /// A character or block device.
    Device,
}

impl Kind {
    /// The kind that the kernel's file type stands for; `None` when the file system doesn't say.
    pub(crate) fn of(kind: FileType) -> Option<Self> {
        Some(match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Self::Device,
            FileType::Unknown => return None,
        })
    }
}

/// A point in time: seconds and nanoseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Whole seconds, negative before 1970.
    pub secs: i64,
    /// Nanoseconds on top, below 1,000,000,000.
    pub nanos: u32,
}

impl From<StatxTimestamp> for Time {
    fn from(stamp: StatxTimestamp) -> Self {
        Self { secs: stamp.tv_sec, nanos: stamp.tv_nsec }
    }
}

/// The facts of one file.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Regular file, directory, link, …
    pub kind: Kind,
    /// The twelve permission bits, set-id and sticky bits included.
    pub mode: u32,
    /// Number of hard links.
    pub links: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Size in bytes; of a link the length of its text.
    pub size: u64,
    /// Which file this is: no two files that exist at the same time have the same.
    pub id: FileId,
    /// Device number, major and minor, of a device node.
    pub device: (u32, u32),
    /// Last access.
    pub accessed: Time,
    /// Last change of the content.
    pub modified: Time,
    /// Last change of the content or the attributes (`ctime`).
    pub changed: Time,
}

/// Identity of a file: device number and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// Device, major and minor number.
    pub device: (u32, u32),
    /// Inode number.
    pub inode: u64,
}

impl Facts {
    /// Facts of an open descriptor, path-only ones included.
    ///
    /// # Errors
    /// The errno of `statx`.
    pub fn of(descriptor: impl AsFd) -> Result<Self, Errno> {
        Self::query(descriptor, OsStr::new(""), AtFlags::EMPTY_PATH)
    }

    /// Facts of the entry `name` of the directory `dir`; a link stands for itself.
    ///
    /// # Errors
    /// The errno of `statx`.
    pub fn at(dir: impl AsFd, name: &OsStr) -> Result<Self, Errno> {
        Self::query(dir, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn query(dir: impl AsFd, name: &OsStr, flags: AtFlags) -> Result<Self, Errno> {
        statx(dir, name, flags | AtFlags::NO_AUTOMOUNT, StatxFlags::BASIC_STATS).and_then(|found| Self::read(&found))
    }

    fn read(found: &Statx) -> Result<Self, Errno> {
        let mode = u32::from(found.stx_mode);
        Ok(Self {
            kind: Kind::of(FileType::from_raw_mode(mode)).ok_or(Errno::INVAL)?,
            mode: mode & 0o7777,
            links: found.stx_nlink,
            uid: found.stx_uid,
            gid: found.stx_gid,
            size: found.stx_size,
            id: FileId { device: (found.stx_dev_major, found.stx_dev_minor), inode: found.stx_ino },
            device: (found.stx_rdev_major, found.stx_rdev_minor),
            accessed: found.stx_atime.into(),
            modified: found.stx_mtime.into(),
            changed: found.stx_ctime.into(),
        })
    }
}
