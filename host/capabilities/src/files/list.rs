//! Listing a directory.

use std::ffi::OsString;

use abxd_guards::file::{Entry, Facts, Kind, Time, Trail};
use abxd_guards::path::{CheckedPath, Walk};

use super::failure::FileFailure;
use super::temporary::is_temporary;
use super::top::{open_top, passable};

/// An entry that changes its kind while it is looked at is looked at anew this often.
const LOOKS: usize = 3;

/// How far a listing goes.
#[derive(Clone, Copy, Debug)]
pub struct ListOptions {
    /// Whether directories are entered.
    pub recursive: bool,
    /// Most entries that are listed.
    pub max_entries: usize,
    /// Depth of the deepest entries that are listed; direct children have depth 1.
    pub max_depth: usize,
}

/// One entry of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListEntry {
    /// Last component only.
    pub name: OsString,
    /// Whether it is a real directory, not a link to one.
    pub is_directory: bool,
    /// Size in bytes; of a link the length of its text.
    pub size: u64,
    /// Last modification; of a link its own.
    pub modified: Time,
    /// The text of a link.
    pub link: Option<OsString>,
}

/// Lists the directory in the order the file system gives, each directory followed by its own entries when the listing
/// is recursive (`contract: file_ops §2`). What the guard refuses is left out, as are unfinished files and what
/// vanishes meanwhile; a directory that may not be read has no entries.
///
/// # Errors
/// [`FileFailure::Missing`] and [`FileFailure::NotADirectory`] for the directory itself, [`FileFailure::Denied`],
/// [`FileFailure::Os`].
pub fn list(path: &CheckedPath, options: &ListOptions) -> Result<Vec<ListEntry>, FileFailure> {
    let Some(top) = open_top(path)? else { return Ok(Vec::new()) };
    let mut walk = path.walk();
    let mut trail = Trail::new(top, path.real().to_owned());
    let mut listed = Vec::new();
    while listed.len() < options.max_entries {
        let Some(entry) = passable(trail.next_entry())?.flatten() else {
            // Without a sure way back up, what is left can't be told from what vanished.
            if trail.leave().unwrap_or(false) { continue } else { break }
        };
        let Some(found) = look(&mut walk, &trail, entry) else { continue };
        let inner = (options.recursive && found.is_directory && trail.depth() + 1 < options.max_depth)
            .then(|| found.name.clone());
        listed.push(found);
        if let Some(name) = inner {
            passable(trail.enter(&name))?;
        }
    }
    Ok(listed)
}

fn look(walk: &mut Walk, trail: &Trail, mut entry: Entry) -> Option<ListEntry> {
    if is_temporary(&entry.name) {
        return None;
    }
    for _ in 0..LOOKS {
        let link = trail.link_text(&entry);
        if !walk.admits(trail.path(), &entry.name, link.as_deref()) {
            return None;
        }
        let facts = Facts::at(trail.dir(), &entry.name).ok()?;
        // A link is listed only with the text that was judged.
        if (facts.kind == Kind::Link) == link.is_some() {
            return Some(ListEntry {
                is_directory: facts.kind == Kind::Directory,
                size: facts.size,
                modified: facts.modified,
                name: entry.name,
                link,
            });
        }
        entry.kind = None;
    }
    None
}
