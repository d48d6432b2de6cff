//! One of the server's own places: as it is written, what it leads to, and the links on the way.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::path::lexical::{below, normalise};
use crate::path::resolve::trace;

/// Paths, and links, that are kept for one place; when its links are led elsewhere more often, the oldest go.
const MOST: usize = 64;

/// One place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// As it was given.
    written: PathBuf,
    /// As it is written, normalised, and every real path that it was found to have, the latest last.
    paths: Vec<PathBuf>,
    /// Real paths of all links that were followed on the way, those within other links' targets too. What one leads to
    /// besides is free, the link is not.
    links: Vec<PathBuf>,
}

impl Place {
    /// The place `written` (absolute), with its links as they are now.
    pub(super) fn find(written: PathBuf) -> Self {
        let mut place = Self { paths: vec![normalise(written.as_os_str().as_bytes())], links: Vec::new(), written };
        place.find_again();
        place
    }

    /// Follows its links anew. Whether there is anything that was not known.
    pub(super) fn find_again(&mut self) -> bool {
        // Not of the normalised path: the kernel takes a `..` behind a link from where that leads.
        let found = trace(&self.written);
        let mut is_new = keep(&mut self.paths, found.real);
        for link in found.links {
            is_new |= keep(&mut self.links, link);
        }
        is_new
    }

    /// Whether all of it, the links on the way too, is among `others` or below.
    pub(super) fn is_within(&self, others: &[Self]) -> bool {
        let lies_in_one = |path: &Path| others.iter().flat_map(Self::paths).any(|own| below(path, own).is_some());
        let is_known = |link: &Path| lies_in_one(link) || others.iter().flat_map(Self::links).any(|own| own == link);
        self.paths().all(lies_in_one) && self.links().all(is_known)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    pub(super) fn links(&self) -> impl Iterator<Item = &Path> {
        self.links.iter().map(PathBuf::as_path)
    }
}

/// Whether `path` was not among them.
fn keep(paths: &mut Vec<PathBuf>, path: PathBuf) -> bool {
    let is_new = !paths.contains(&path);
    if is_new {
        if paths.len() >= MOST {
            // The first is the place as it is written.
            paths.remove(1);
        }
        paths.push(path);
    }
    is_new
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::{MOST, Place};

    #[test]
    fn what_is_kept_of_links_that_move_is_bounded() {
        let top = tempfile::tempdir().unwrap();
        let top = top.path().canonicalize().unwrap();
        let written = top.join("link/file");
        let mut place = Place::find(written.clone());
        for number in 0..2 * MOST {
            let _ = std::fs::remove_file(top.join("link"));
            symlink(number.to_string(), top.join("link")).unwrap();
            assert!(place.find_again());
            assert!(!place.find_again(), "nothing has changed since");
        }
        let paths: Vec<_> = place.paths().collect();
        assert_eq!(paths.len(), MOST);
        assert_eq!(paths[0], written);
        assert_eq!(paths[MOST - 1], top.join(format!("{}/file", 2 * MOST - 1)));
        assert_eq!(place.links().collect::<Vec<_>>(), [top.join("link")]);
    }
}
