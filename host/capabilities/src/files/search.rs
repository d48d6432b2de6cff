//! Searching a tree by file name.
//!
//! Each directory is read twice where it has sub-directories to search: for its files, then for those. So no names have
//! to be kept, however large the tree is.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use abxd_glob::Glob;
use abxd_guards::file::{Entry, Kind, Trail};
use abxd_guards::path::{CheckedPath, Walk};

use super::failure::FileFailure;
use super::temporary::is_temporary;
use super::top::{open_top, passable};
use crate::Cancel;

/// Largest answer, as it is weighed by [`weight`]. A search that was given no smaller cap ends here.
const HEAVIEST: usize = 16 << 20;
/// Weight of a result beside its texts.
const RESULT: usize = 64;

/// What is searched for, how far, how long.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Matched against the last component. One with a `/` matches nothing.
    pub pattern: Glob,
    /// A directory at depth d (the root has 0) is searched if d < `max_depth`.
    pub max_depth: usize,
    /// Most results.
    pub max_results: usize,
    /// Longest time that the walk may take.
    pub timeout: Duration,
}

/// One result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Last component.
    pub name: OsString,
    /// The real path of the root and the way down from it.
    pub path: PathBuf,
}

/// The results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What matched, in the order in which it was found.
    pub hits: Vec<Hit>,
    /// Whether time was up (or the search cancelled) before the walk was.
    pub timed_out: bool,
}

/// Finds what is no directory, nor a link to one, and has a matching name (`contract: file_ops §7`). Of each directory
/// first its files, then those of its sub-directories, both in the order the file system gives. What the guard refuses
/// is left out, as are unfinished files; directories that vanish or may not be read are passed over.
///
/// # Errors
/// [`FileFailure::Missing`] and [`FileFailure::NotADirectory`] for the directory itself, [`FileFailure::Denied`],
/// [`FileFailure::Os`].
pub fn search(path: &CheckedPath, options: &SearchOptions, cancel: &Cancel) -> Result<Found, FileFailure> {
    let deadline = Instant::now().checked_add(options.timeout);
    let Some(top) = open_top(path)? else { return Ok(Found::default()) };
    let mut hunt = Hunt {
        options,
        walk: path.walk(),
        trail: Trail::new(top, path.real().to_owned()),
        found: Found::default(),
        weight: 0,
    };
    if options.max_depth > 0 && !options.pattern.as_str().contains('/') {
        hunt.run(|| cancel.is_cancelled() || deadline.is_some_and(|deadline| Instant::now() >= deadline))?;
    }
    Ok(hunt.found)
}

/// What a directory is being read for.
enum Pass {
    Files {
        /// Whether a directory was met that is to be searched.
        deeper: bool,
    },
    Directories,
}

struct Hunt<'o> {
    options: &'o SearchOptions,
    walk: Walk,
    trail: Trail,
    found: Found,
    weight: usize,
}

impl Hunt<'_> {
    fn run(&mut self, time_is_up: impl Fn() -> bool) -> Result<(), FileFailure> {
        let mut pass = Pass::Files { deeper: false };
        while self.found.hits.len() < self.options.max_results && self.weight < HEAVIEST {
            if time_is_up() {
                self.found.timed_out = true;
                break;
            }
            let entry = passable(self.trail.next_entry())?.flatten();
            pass = match (pass, entry) {
                (Pass::Files { deeper }, Some(entry)) => {
                    let directory = self.trail.is_directory(&entry);
                    if !directory {
                        self.look_at(&entry);
                    }
                    Pass::Files { deeper: deeper || directory }
                }
                (Pass::Files { deeper: true }, None) if self.trail.depth() + 1 < self.options.max_depth => {
                    self.trail.rewind()?;
                    Pass::Directories
                }
                (Pass::Directories, Some(entry)) if self.enters(&entry)? => Pass::Files { deeper: false },
                (Pass::Directories, Some(_)) => Pass::Directories,
                // Without a sure way back up, what is left can't be told from what vanished.
                (_, None) if !self.trail.leave().unwrap_or(false) => break,
                (_, None) => Pass::Directories,
            };
        }
        Ok(())
    }

    /// Takes the entry, which is no directory, if it is one to find.
    fn look_at(&mut self, entry: &Entry) {
        let matches = !is_temporary(&entry.name) && self.options.pattern.is_match(&entry.name.to_string_lossy());
        if matches && self.admits_file(entry) {
            let hit = Hit { name: entry.name.clone(), path: self.trail.path().join(&entry.name) };
            self.weight += RESULT + weight(&hit.name) + weight(hit.path.as_os_str());
            self.found.hits.push(hit);
        }
    }

    /// Whether the guard lets the entry through and it is no link to a directory.
    fn admits_file(&mut self, entry: &Entry) -> bool {
        let dir = self.trail.path();
        let Some(text) = self.trail.link_text(entry) else {
            return entry.kind != Some(Kind::Link) && self.walk.admits(dir, &entry.name, None);
        };
        match self.walk.follow(dir, &entry.name, &text) {
            Ok(target) => target.is_loop() || !target.facts().is_ok_and(|facts| facts.kind == Kind::Directory),
            Err(_) => false,
        }
    }

    /// Enters the entry if it is a directory that the guard lets through.
    fn enters(&mut self, entry: &Entry) -> Result<bool, FileFailure> {
        let passes = self.trail.is_directory(entry)
            && !is_temporary(&entry.name)
            && self.walk.admits(self.trail.path(), &entry.name, None);
        if !passes {
            return Ok(false);
        }
        Ok(passable(self.trail.enter(&entry.name))?.is_some())
    }
}

/// Bytes that a text takes at most wherever an answer is put together: six for one where it is not plain text.
fn weight(text: &OsStr) -> usize {
    let plain = |letter: char| !letter.is_control() && !matches!(letter, '"' | '\\');
    let is_plain = text.to_str().is_some_and(|text| text.chars().all(plain));
    text.len() * if is_plain { 1 } else { 6 }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::weight;

    #[test]
    fn texts_that_swell_in_an_answer_weigh_more() {
        assert_eq!(weight(OsStr::new("plain é")), 8);
        for text in [&b"\x01"[..], b"\"", b"\\", b"\xff"] {
            assert_eq!(weight(OsStr::from_bytes(text)), 6);
        }
    }
}
