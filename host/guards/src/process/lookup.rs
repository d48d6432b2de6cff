//! From a path to the file that it leads to.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::checked::ProgramFile;
use super::denial::{ProcessDenial, ProgramFailure};
use crate::beneath::{NAME_ONLY, Opener};
use crate::file::{Facts, Kind};
use crate::kernel_trees;
use crate::path::resolve::{Resolved, follow};

/// How often a path is followed and opened anew when links are swapped in under it.
const ATTEMPTS: usize = 4;

/// What a look-up ends with.
pub(super) type Find = Result<ProgramFile, ProgramFailure>;

/// A path that may be the program, with what it leads to.
#[derive(Debug)]
pub(super) struct Candidate {
    is_of_kernel: bool,
    find: Find,
}

impl Candidate {
    /// Follows and opens `path` (absolute, normalised). The file that is opened is the one that the links led to: the
    /// open itself follows none.
    pub(super) fn look_up(path: PathBuf, opener: Opener) -> Self {
        for _ in 0..ATTEMPTS {
            let resolved = follow(Path::new("/"), &path);
            match opener.absolute(&resolved.path, NAME_ONLY) {
                Err(Errno::LOOP | Errno::XDEV) if !resolved.looped => {}
                opened => {
                    let is_of_kernel = [&path, &resolved.path].into_iter().any(|path| kernel_trees::cover(path));
                    let is_of_kernel = is_of_kernel || resolved.through_kernel;
                    let find = opened.map_err(failure).and_then(|opened| program(path, resolved, opened));
                    return Self { is_of_kernel, find };
                }
            }
        }
        Self { is_of_kernel: false, find: Err(Errno::LOOP.into()) }
    }

    pub(super) const fn find(&self) -> &Find {
        &self.find
    }

    /// The find, unless the path lies in, or leads through, a tree of the kernel.
    pub(super) fn judged(self) -> Result<Find, ProcessDenial> {
        if self.is_of_kernel { Err(ProcessDenial::Denied) } else { Ok(self.find) }
    }
}

fn program(path: PathBuf, resolved: Resolved, descriptor: std::os::fd::OwnedFd) -> Find {
    let facts = Facts::of(&descriptor)?;
    // Asked by name, as `access` can't ask a path-only descriptor. Were another file there by now, the answer would be
    // wrong and the start would say so.
    if facts.kind != Kind::File {
        return Err(ProgramFailure::NotExecutable);
    }
    access(&resolved.path, Access::EXEC_OK).map_err(failure)?;
    Ok(ProgramFile { path, real: resolved.path, descriptor, facts })
}

const fn failure(errno: Errno) -> ProgramFailure {
    match errno {
        Errno::NOENT => ProgramFailure::Missing,
        Errno::ACCESS => ProgramFailure::NotExecutable,
        other => ProgramFailure::Os(other),
    }
}
