//! The folder that stands in for what the working trees of a repository share, so that a run finds in it what it may
//! and nothing else.
//!
//! A [`Stage`] owns its folder, which is gone when it is dropped. Others may look at it, since a run may be another
//! user's, and can't change it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

use super::GitFailure;
use super::repository::Repository;

/// What the folder begins with.
const PREFIX: &str = ".abxd-git-";

#[derive(Debug)]
pub(super) struct Stage {
    folder: TempDir,
}

impl Stage {
    /// A stage for the repository. Blocks.
    ///
    /// # Errors
    /// The folder can't be made, or a part of the repository is a link: that could lead anywhere.
    pub(super) fn set(repository: &Repository, scratch: &Path) -> Result<Self, GitFailure> {
        let mut builder = tempfile::Builder::new();
        let folder = builder.prefix(PREFIX).permissions(Permissions::from_mode(0o755)).tempdir_in(scratch)?;
        let (stage, common) = (folder.path(), repository.common.as_path());
        fs::write(stage.join("config"), &repository.settings)?;
        for (name, is_kind) in [
            ("refs", FileType::is_dir as fn(&FileType) -> bool),
            ("packed-refs", FileType::is_file),
            ("reftable", FileType::is_dir),
        ] {
            if is_there(&common.join(name), is_kind)? {
                symlink(common.join(name), stage.join(name))?;
            }
        }
        fs::create_dir(stage.join("info"))?;
        symlink(common.join("info/exclude"), stage.join("info/exclude"))?;
        link_objects(&common.join("objects"), &stage.join("objects"))?;
        Ok(Self { folder })
    }

    /// What a run has set to see the repository through the stage.
    pub(super) fn variables(&self, repository: &Repository) -> Vec<(&'static str, OsString)> {
        let stage = self.folder.path();
        vec![
            ("GIT_DIR", repository.git_dir.clone().into()),
            ("GIT_COMMON_DIR", stage.into()),
            ("GIT_WORK_TREE", repository.root.clone().into()),
            ("GIT_ATTR_SOURCE", repository.format.empty_tree().into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            // For a git that doesn't know the last two.
            ("HOME", stage.into()),
            ("XDG_CONFIG_HOME", stage.into()),
        ]
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Whether something is there, which then is of that kind.
fn is_there(path: &Path, is_kind: fn(&FileType) -> bool) -> Result<bool, GitFailure> {
    match fs::symlink_metadata(path) {
        Ok(found) if is_kind(&found.file_type()) => Ok(true),
        Ok(_) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Err(GitFailure::Said(format!("the {name} of the repository are elsewhere, which is not supported here")))
        }
        Err(_) => Ok(false),
    }
}

/// Links to the packs and to the folders of loose objects. What lists other places to look at is left out.
fn link_objects(from: &Path, to: &Path) -> Result<(), GitFailure> {
    fs::create_dir(to)?;
    if !is_there(from, FileType::is_dir)? {
        return Ok(());
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if holds_objects(&name) && entry.file_type()?.is_dir() {
            symlink(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

fn holds_objects(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name == b"pack" || (name.len() == 2 && name.iter().all(u8::is_ascii_hexdigit))
}
