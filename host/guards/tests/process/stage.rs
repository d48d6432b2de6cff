//! A directory of programs, built anew for every test.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use abxd_guards::Opener;
use abxd_guards::process::{CheckedProgram, ProcessDenial, ProcessGuard};

pub(crate) const OPENERS: [Opener; 2] = [Opener::OpenAt2, Opener::Components];

pub(crate) struct Stage {
    _temporary: tempfile::TempDir,
    pub(crate) top: PathBuf,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        Self { _temporary: temporary, top }
    }

    /// Writes a file with this mode, and the directories above it.
    pub(crate) fn file(&self, path: &str, mode: u32) -> PathBuf {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    /// Judges `word` for a child in `dir` of the stage, with `search` as the server's `PATH`.
    pub(crate) fn check(
        &self,
        word: &str,
        dir: &str,
        search: &str,
        opener: Opener,
    ) -> Result<CheckedProgram, ProcessDenial> {
        let guard = ProcessGuard::with_opener(search.as_ref(), &self.top, opener);
        guard.check(&[word.to_owned()], &self.top.join(dir))
    }
}

/// The real path of what was found, or why nothing was; the contract's code of a refusal.
pub(crate) fn shown(checked: Result<CheckedProgram, ProcessDenial>) -> Result<String, String> {
    let checked = checked.map_err(|denial| denial.code().to_owned())?;
    Ok(match checked.file() {
        Ok(file) => file.real().display().to_string(),
        Err(failure) => format!("{failure:?}"),
    })
}

pub(crate) fn text(path: &Path) -> String {
    path.display().to_string()
}
