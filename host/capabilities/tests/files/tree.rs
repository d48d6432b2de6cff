//! A root with a directory beside it that no operation may touch.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_capabilities::files::{self, FileFailure, ListOptions, SaveOptions, SaveTarget};
use abxd_glob::DenyPattern;
use abxd_guards::Opener;
use abxd_guards::path::{Access, CheckedPath, OwnPath, PathDenial, PathGuard, PathRule, Protected};

pub(crate) struct Tree {
    _temporary: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) outside: PathBuf,
    pub(crate) guard: Arc<PathGuard>,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self::with(PathRule::default(), Opener::detect())
    }

    pub(crate) fn denying(patterns: &[&str]) -> Self {
        let deny = patterns.iter().map(|text| DenyPattern::parse(text).unwrap()).collect();
        Self::with(PathRule { deny, ..PathRule::default() }, Opener::detect())
    }

    pub(crate) fn with(rule: PathRule, opener: Opener) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        let (root, outside) = (top.join("root"), top.join("outside"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&outside).unwrap();
        let guard = PathGuard::with_opener(rule, &root, &root, Arc::new(Protected::nothing()), opener);
        Self { _temporary: temporary, root, outside, guard }
    }

    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file, its parents too.
    pub(crate) fn file(&self, path: &str, content: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn dir(&self, path: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub(crate) fn link(&self, text: impl AsRef<Path>, path: &str) -> PathBuf {
        let path = self.at(path);
        std::os::unix::fs::symlink(text, &path).unwrap();
        path
    }

    pub(crate) fn fifo(&self, path: &str) -> PathBuf {
        let path = self.at(path);
        let mode = rustix::fs::Mode::from_raw_mode(0o666);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
        path
    }

    pub(crate) fn check(&self, path: impl AsRef<Path>, access: Access) -> Result<CheckedPath, PathDenial> {
        self.guard.check(self.at(path).as_os_str().as_bytes(), access)
    }

    pub(crate) fn own(&self, path: impl AsRef<Path>, access: Access) -> Result<OwnPath, PathDenial> {
        self.guard.check_own(self.at(path).as_os_str().as_bytes(), access)
    }

    pub(crate) fn list(&self, path: impl AsRef<Path>) -> Result<Vec<files::ListEntry>, FileFailure> {
        let options = ListOptions { recursive: false, max_entries: 1000, max_depth: 3 };
        files::list(&self.check(path, Access::Read)?, &options)
    }

    pub(crate) fn make_dir(&self, path: impl AsRef<Path>) -> Result<(), FileFailure> {
        files::make_dir(&self.check(path, Access::Write)?)
    }

    pub(crate) fn remove(&self, path: impl AsRef<Path>) -> Result<(), FileFailure> {
        files::remove(&self.own(path, Access::Delete)?)
    }

    pub(crate) fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), FileFailure> {
        files::rename(&self.own(from, Access::Delete)?, &self.own(to, Access::Write)?)
    }

    pub(crate) fn save(&self, path: impl AsRef<Path>, content: &[u8], overwrite: bool) -> Result<u64, FileFailure> {
        let path = self.check(path, Access::Write)?;
        let mut saving = SaveTarget::prepare(path, SaveOptions { overwrite })?.begin()?;
        for chunk in content.chunks(64 * 1024) {
            saving.write(chunk)?;
        }
        saving.commit()
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> Result<Vec<u8>, FileFailure> {
        let mut opened = files::open(&self.check(path, Access::Read)?)?;
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut opened.file, &mut content).unwrap();
        Ok(content)
    }

    /// Names in a directory as the file system has them, unfinished files included.
    pub(crate) fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        names(&self.at(path))
    }
}

pub(crate) fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// `FileFailure::Os` of an errno.
pub(crate) const fn os<T>(errno: rustix::io::Errno) -> Result<T, FileFailure> {
    Err(FileFailure::Os(errno))
}
