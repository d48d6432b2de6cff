//! What a child may reach of the file system, whatever it is told to open (Landlock, `landlock(7)`; Linux 5.13).
//!
//! A [`Confinement`] owns a descriptor of the kernel's; children that were started with it keep their bounds when it is
//! gone.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::fs::{FileType, fstat};
use rustix::io::Errno;

// Rights to what lies below a place, as `landlock(7)` numbers them.
const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;

/// All rights of the first version: nothing is opened, made or removed that was not granted.
const ALL: u64 = (1 << 13) - 1;

/// `LANDLOCK_RULE_PATH_BENEATH`.
const PATH_BENEATH: libc::c_int = 1;

/// What may be done with a file, or with everything below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Reading files and directories.
    Read,
    /// That, and running programs.
    Run,
    /// Reading and writing files that are there.
    Write,
}

impl Right {
    const fn bits(self) -> u64 {
        match self {
            Self::Read => READ_FILE | READ_DIR,
            Self::Run => READ_FILE | READ_DIR | EXECUTE,
            Self::Write => READ_FILE | READ_DIR | WRITE_FILE,
        }
    }
}

/// The bounds of a child.
#[derive(Debug)]
pub struct Confinement {
    rules: OwnedFd,
}

/// `struct landlock_ruleset_attr` of the first version.
#[repr(C)]
struct Rules {
    handled: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    parent: RawFd,
}

impl Confinement {
    /// Bounds within which nothing can be opened.
    ///
    /// # Errors
    /// `ENOSYS` or `EOPNOTSUPP` where the kernel can't confine, `EPERM` where a filter of system calls forbids it.
    pub fn new() -> Result<Self, Errno> {
        let rules = Rules { handled: ALL };
        // SAFETY: reads as many bytes as said.
        let made =
            unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, &raw const rules, size_of::<Rules>(), 0_u32) };
        let made = RawFd::try_from(made).ok().filter(|made| *made >= 0).ok_or_else(last_error)?;
        // SAFETY: the kernel just made the descriptor for the caller, closed on exec.
        Ok(Self { rules: unsafe { OwnedFd::from_raw_fd(made) } })
    }

    /// Grants a right to a place: that file, or what lies below that directory (a path-only descriptor will do).
    ///
    /// # Errors
    /// The errno of looking at the place, or of adding the rule.
    pub fn grant(&self, place: impl AsFd, right: Right) -> Result<(), Errno> {
        let place = place.as_fd();
        let is_directory = FileType::from_raw_mode(fstat(place)?.st_mode) == FileType::Directory;
        // The kernel takes no right to entries from what has none.
        let allowed = if is_directory { right.bits() } else { right.bits() & !READ_DIR };
        let beneath = Beneath { allowed, parent: place.as_raw_fd() };
        // SAFETY: reads the structure, which is the one that belongs to the number.
        let added = unsafe {
            libc::syscall(libc::SYS_landlock_add_rule, self.rules.as_raw_fd(), PATH_BENEATH, &raw const beneath, 0_u32)
        };
        if added == 0 { Ok(()) } else { Err(last_error()) }
    }
}

impl AsFd for Confinement {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.rules.as_fd()
    }
}

fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}
