//! The files that a deployment is made of, and whether they have changed.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::cli::start::Start;

/// What tells one state of the files from another. None: a file is not there.
type Fingerprint = BTreeMap<PathBuf, Option<Stamp>>;

/// What tells one state of a file from another: device, inode, size, and the times of content and inode.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp(u64, u64, u64, (i64, i64), (i64, i64));

/// The files that a deployment is made of, and their state when they were last looked at.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Watched {
    places: Vec<PathBuf>,
    /// Whether also those are watched that children could change.
    all: bool,
    seen: Fingerprint,
}

impl Watched {
    /// The files of a start. Blocks.
    pub(in crate::cli) fn new(start: &Start) -> Self {
        let (places, all) = (start.files(start.first_document()), start.args.dev);
        Self { seen: look(&places, all), places, all }
    }

    /// Look again. Whether anything has changed since the last look. Blocks.
    pub(super) fn look(&mut self) -> bool {
        let now = look(&self.places, self.all);
        let has_changed = now != self.seen;
        self.seen = now;
        has_changed
    }

    /// Watch these files instead. What was watched before keeps the state that it was last seen in, so that no change of
    /// it is missed. Blocks.
    pub(super) fn turn_to(&mut self, places: Vec<PathBuf>) {
        let mut before = std::mem::take(&mut self.seen);
        let now = look(&places, self.all).into_iter();
        self.seen = now.map(|(file, stamp)| before.remove_entry(&file).unwrap_or((file, stamp))).collect();
        self.places = places;
    }
}

/// The state of files, and of what is in directories. Those that children of the server could change are left out, unless
/// `dev`. Blocks.
fn look(places: &[PathBuf], dev: bool) -> Fingerprint {
    let inside = |place: &PathBuf| {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).chain([place.clone()]).collect::<Vec<_>>()
    };
    let trusted = places.iter().map(inside).filter(|files| dev || !files.iter().any(|file| is_writable(file)));
    trusted.flatten().map(|file| (file.clone(), stamp(&file))).collect()
}

fn stamp(file: &Path) -> Option<Stamp> {
    let data = file.metadata().ok()?;
    let (content, inode) = ((data.mtime(), data.mtime_nsec()), (data.ctime(), data.ctime_nsec()));
    Some(Stamp(data.dev(), data.ino(), data.size(), content, inode))
}

/// Whether the server's user, who is its children's too, could change the file or put another one in its place: it, the
/// directories on the way to it, and those of what it links to.
fn is_writable(file: &Path) -> bool {
    let real = file.canonicalize().ok();
    let ways = [Some(file), real.as_deref()].into_iter().flatten();
    is_ours(file) || ways.flat_map(Path::ancestors).any(is_replaceable)
}

/// Whether the server's user may write to it, or may give itself leave to.
fn is_ours(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok() || path.metadata().is_ok_and(|data| data.uid() == own_user())
}

/// Whether the server's user could put something else under this name. In a directory like `/tmp`, entries of others stay.
fn is_replaceable(path: &Path) -> bool {
    let Some(directory) = path.parent() else { return false };
    let others = |path: &Path| path.symlink_metadata().ok().filter(|data| data.uid() != own_user());
    let stays = others(path).is_some() && others(directory).is_some_and(|data| data.mode() & 0o1000 != 0);
    is_ours(directory) && !stays
}

fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
