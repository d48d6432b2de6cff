//! Judging a program.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::checked::CheckedProgram;
use super::denial::{ProcessDenial, ProgramFailure};
use super::lookup::{Candidate, Find};
use crate::beneath::Opener;
use crate::path::lexical::{normalise, normalise_below};

/// The process guard of one server. Built once and shared; each check looks at the file system anew.
#[derive(Clone, Debug)]
pub struct ProcessGuard {
    search: Vec<PathBuf>,
    opener: Opener,
}

impl ProcessGuard {
    /// The guard of a server whose `PATH` is `search_path` and which runs in `working_dir` (absolute). An entry of the
    /// path that is empty or relative means that directory, or one below it; never the child's.
    #[must_use]
    pub fn new(search_path: &OsStr, working_dir: &Path) -> Self {
        Self::with_opener(search_path, working_dir, Opener::detect())
    }

    /// As [`ProcessGuard::new`], with a way of opening paths that isn't what the machine would choose.
    #[must_use]
    pub fn with_opener(search_path: &OsStr, working_dir: &Path, opener: Opener) -> Self {
        let entries = search_path.as_bytes().split(|byte| *byte == b':');
        Self { search: entries.map(|entry| absolute(entry, working_dir)).collect(), opener }
    }

    /// Judges the first word of `argv`, for a child that will run in `dir` (absolute). A word without `/` is searched
    /// in the server's `PATH`, any other is taken from `dir`. Arguments are not looked at.
    ///
    /// # Errors
    /// [`ProcessDenial`]. That the program is missing or cannot run is no refusal.
    pub fn check(&self, argv: &[String], dir: &Path) -> Result<CheckedProgram, ProcessDenial> {
        let word = argv.first().filter(|word| !word.is_empty()).ok_or(ProcessDenial::Empty)?;
        if word.contains('\0') {
            return Err(ProcessDenial::Nul);
        }
        let found = if word.contains('/') { self.named(word, dir)? } else { self.searched(word)? };
        Ok(CheckedProgram::new(word.clone(), found))
    }

    /// The file that a word with a `/` names.
    fn named(&self, word: &str, dir: &Path) -> Result<Find, ProcessDenial> {
        Candidate::look_up(absolute(word.as_bytes(), dir), self.opener).judged()
    }

    /// The first executable file of that name in the search path. An entry that can't be asked for want of something is
    /// not passed over: what it holds is not known.
    fn searched(&self, word: &str) -> Result<Find, ProcessDenial> {
        let mut failure = ProgramFailure::Missing;
        for entry in &self.search {
            let candidate = Candidate::look_up(normalise_below(entry, word.as_bytes()), self.opener);
            match candidate.find() {
                Ok(_) => return candidate.judged(),
                Err(ProgramFailure::NotExecutable) => failure = ProgramFailure::NotExecutable,
                Err(ProgramFailure::Missing) => {}
                Err(ProgramFailure::Os(errno)) if is_absent(*errno) => {}
                Err(ProgramFailure::Os(_)) => return candidate.judged(),
            }
        }
        Ok(Err(failure))
    }
}

/// Whether the error says that nothing can be found under the name, rather than that it could not be looked for.
const fn is_absent(errno: Errno) -> bool {
    matches!(errno, Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG | Errno::STALE | Errno::NODEV | Errno::TIMEDOUT)
}

/// `path`, taken from `dir` when it is relative.
fn absolute(path: &[u8], dir: &Path) -> PathBuf {
    if path.first() == Some(&b'/') { normalise(path) } else { normalise_below(dir, path) }
}
