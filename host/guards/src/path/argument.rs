//! A path that a command gets as an argument, and walks on its own (`contract: guards §2`, `{path}`).

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::denial::PathDenial;
use super::guard::PathGuard;
use super::lexical::{normalise, normalise_below};
use super::resolve::follow;
use super::roots::Roots;
use super::rule::{Access, Symlinks};

impl PathGuard {
    /// Judges `raw` as an argument of a command that will run in `dir` (absolute, a real path). The command is handed
    /// the text, not the judged path, so the text has to be harmless in each way that it can be read:
    ///
    /// * as every path of a request is ([`PathGuard::check`]);
    /// * from `dir`, when it is relative;
    /// * with a `..` behind a link taken from where the link leads, as the kernel takes it.
    ///
    /// # Errors
    /// As [`PathGuard::check`], for the first reading that is refused.
    pub fn check_argument(self: &Arc<Self>, raw: &[u8], dir: &Path) -> Result<(), PathDenial> {
        self.check(raw, Access::Exec)?;
        let is_absolute = raw.first() == Some(&b'/');
        let seen = if is_absolute { normalise(raw) } else { normalise_below(dir, raw) };
        let climbs = raw.split(|byte| *byte == b'/').any(|component| component == b"..");
        if is_absolute && !climbs {
            return Ok(());
        }
        let checked = self.judge(&mut Roots::unopened(), seen, Access::Exec)?;
        if !climbs {
            return Ok(());
        }
        let walked = walked(raw, dir);
        if self.symlinks() == Symlinks::Never && walked != checked.real() {
            return Err(PathDenial::Symlink);
        }
        self.judge(&mut Roots::unopened(), walked, Access::Exec).map(drop)
    }
}

/// Where the kernel gets to from `dir` along `raw`.
fn walked(raw: &[u8], dir: &Path) -> PathBuf {
    // An absolute path replaces `dir`.
    let whole = dir.join(std::ffi::OsStr::from_bytes(raw));
    follow(Path::new("/"), &whole).path
}
