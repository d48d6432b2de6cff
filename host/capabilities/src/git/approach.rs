//! The way to a repository before git goes it: what git would read on it to find out where the repository is.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use abxd_guards::path::{Access, PathDenial, PathGuard};
use rustix::fs::OFlags;

use super::GitFailure;
use super::parts::examine_first;
use super::repository::{pointer, shared};

/// Looks at the nearest repository from `start` (a real path) upwards as far as git reads it to find it.
///
/// # Errors
/// [`GitFailure::Denied`] where it lies elsewhere, and the guard refuses that; [`GitFailure::Said`] where what would be
/// read is no plain file.
pub(super) fn examine(guard: &Arc<PathGuard>, start: &Path) -> Result<(), GitFailure> {
    for directory in start.ancestors() {
        let entry = directory.join(".git");
        let Ok(facts) = fs::symlink_metadata(&entry) else {
            if is_bare(directory) {
                return examine_first(directory);
            }
            continue;
        };
        if facts.is_dir() {
            if has_head(&entry) {
                return repository(guard, &entry);
            }
            continue;
        }
        if facts.is_symlink() {
            judged(guard, &entry)?;
        }
        let real = fs::canonicalize(&entry);
        if real.as_ref().is_ok_and(|real| real.is_dir()) {
            return real.map_or(Ok(()), |real| repository(guard, &real));
        }
        if let Some(target) = pointer(&entry, OFlags::empty()) {
            let target = directory.join(target);
            judged(guard, &target)?;
            return repository(guard, &target);
        }
    }
    Ok(())
}

fn repository(guard: &Arc<PathGuard>, git_dir: &Path) -> Result<(), GitFailure> {
    examine_first(git_dir)?;
    if let Ok(common) = shared(git_dir)
        && common != git_dir
    {
        judged(guard, &common)?;
        examine_first(&common)?;
    }
    Ok(())
}

fn judged(guard: &Arc<PathGuard>, path: &Path) -> Result<(), PathDenial> {
    guard.check(path.as_os_str().as_bytes(), Access::Read).map(drop)
}

fn has_head(git_dir: &Path) -> bool {
    fs::symlink_metadata(git_dir.join("HEAD")).is_ok()
}

fn is_bare(directory: &Path) -> bool {
    has_head(directory) && fs::symlink_metadata(directory.join("objects")).is_ok()
}
