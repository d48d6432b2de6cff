//! The folder that stands in for what the working trees of a repository share, so that a run finds in it what it may
//! and nothing else.
//!
//! A [`Stage`] owns its folder, which is gone when it is dropped. Others may look at it, since a run may be another
//! user's, and can't change it.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::io::Errno;
use tempfile::TempDir;

use super::GitFailure;
use super::bounds::named;
use super::parts;
use super::repository::Repository;

/// What the folder begins with.
const PREFIX: &str = ".abxd-git-";

#[derive(Debug)]
pub(super) struct Stage {
    folder: TempDir,
    directory: OwnedFd,
}

impl Stage {
    /// A stage for the repository. Blocks.
    ///
    /// # Errors
    /// The folder can't be made, or the repository is not all in its place (`parts`).
    pub(super) fn set(repository: &Repository, scratch: &Path) -> Result<Self, GitFailure> {
        let objects = parts::examine(&repository.git_directory, &repository.common_directory)?;
        let mut builder = tempfile::Builder::new();
        let folder = builder.prefix(PREFIX).permissions(Permissions::from_mode(0o755)).tempdir_in(scratch)?;
        let (stage, common) = (folder.path(), repository.common.as_path());
        fs::write(stage.join("config"), &repository.settings.text)?;
        for name in ["refs", "packed-refs", "reftable"] {
            if fs::symlink_metadata(common.join(name)).is_ok() {
                symlink(common.join(name), stage.join(name))?;
            }
        }
        fs::create_dir(stage.join("info"))?;
        symlink(common.join("info/exclude"), stage.join("info/exclude"))?;
        fs::create_dir(stage.join("objects"))?;
        for name in objects {
            symlink(common.join("objects").join(&name), stage.join("objects").join(name))?;
        }
        let directory = named(stage).ok_or(Errno::NOENT)?;
        Ok(Self { folder, directory })
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

    pub(super) const fn directory(&self) -> &OwnedFd {
        &self.directory
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}
