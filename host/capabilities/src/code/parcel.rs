//! Code in memory of the kernel's, as a file without a name.

use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::{OwnedFd, RawFd};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;

/// The descriptor's number in the interpreter: the first that is free.
pub(super) const NUMBER: RawFd = 3;

/// Puts code into a file that is open at its beginning. Blocks.
///
/// # Errors
/// The errno of making or writing it.
pub(super) fn pack(code: &[u8]) -> Result<OwnedFd, Errno> {
    let mut file = File::from(memfd_create("code", MemfdFlags::CLOEXEC)?);
    let packed = file.write_all(code).and_then(|()| file.rewind());
    packed.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    Ok(file.into())
}
