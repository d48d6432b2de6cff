//! The directory in which a browser keeps what it can't keep in memory. It is new for each start and goes with it.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Gid, Uid, chown};
use tempfile::TempDir;
use tokio::time::sleep;

use crate::settings::Settings;

/// How often removing is tried: the last process of a tree may still be writing.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Bytes of its path at most: Chromium ends at once when `PROFILE/org.chromium.Chromium.XXXXXX/SingletonSocket` does not
/// fit into the address of a socket (unix(7): 107 bytes).
const LONGEST: usize = 62;

/// A profile. Dropped it is removed, too, but on the thread that drops it.
#[derive(Debug)]
pub(super) struct Profile(TempDir);

impl Profile {
    /// Makes one that nobody else can look into.
    ///
    /// # Errors
    /// The system's.
    pub(super) async fn make(settings: &Settings) -> io::Result<Self> {
        let (scratch, user) = (settings.scratch.clone(), settings.user.clone());
        let made = tokio::task::spawn_blocking(move || {
            let mode = Permissions::from_mode(0o700);
            let folder = tempfile::Builder::new().prefix("browser-").permissions(mode).tempdir_in(scratch)?;
            if folder.path().as_os_str().len() > LONGEST {
                let cause = format!("{} is too long a path for a browser's socket", folder.path().display());
                return Err(io::Error::new(io::ErrorKind::InvalidFilename, cause));
            }
            if let Some(user) = user {
                chown(folder.path(), Some(Uid::from_raw(user.id)), Some(Gid::from_raw(user.group)))?;
            }
            Ok(Self(folder))
        });
        made.await.map_err(io::Error::other)?
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Removes it.
    pub(super) async fn remove(self) {
        let path = self.0.keep();
        for _ in 0..ATTEMPTS {
            let path = path.clone();
            let removed = tokio::task::spawn_blocking(move || match std::fs::remove_dir_all(&path) {
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            });
            match removed.await {
                Ok(Ok(())) | Err(_) => return,
                Ok(Err(_)) => sleep(PAUSE).await,
            }
        }
        tracing::warn!(path = %path.display(), "a browser's profile can't be removed");
    }
}
