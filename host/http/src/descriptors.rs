//! The process's limit of open descriptors.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the soft limit of open descriptors to the hard one. Returns the soft limit that was there before (`None`:
/// unlimited), to be given back to children, which may not be made for descriptors above it.
///
/// # Errors
/// What the system said; the old limit then still holds.
pub fn raise_descriptor_limit() -> io::Result<Option<u64>> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?;
    }
    Ok(limit.current)
}
