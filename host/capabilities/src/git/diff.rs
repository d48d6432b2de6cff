//! What has changed in a working tree, line by line.

use std::ffi::OsString;
use std::io::BufReader;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use abxd_guards::path::{CheckedPath, PathGuard};

use super::look::{From, Look};
use super::numstat::{Counts, sum};
use super::patch::{self, Reading};
use super::repository::Repository;
use super::shown::Shown;
use super::{Git, GitFailure, TIMEOUT};

/// Patches as everybody knows them, of files and not of what is in submodules, and no program asked how.
const ARGUMENTS: [&str; 7] =
    ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"];

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// The index with the last commit, and not the working tree with the index.
    pub staged: bool,
    /// Only this.
    pub only: Option<Pathspec>,
    /// Bytes of text that are kept.
    pub most: usize,
}

/// Which files are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pathspec {
    /// Taken from the directory that is asked about.
    pub text: OsString,
    /// Whether it is the name of a file, whatever is in it; otherwise a pattern (`gitglossary(7)`, pathspec). What is no
    /// UTF-8 is a name.
    pub literal: bool,
}

/// The difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Whole characters; U+FFFD stands for what was none.
    pub text: String,
    /// Whether the text was cut. The numbers are those of everything.
    pub truncated: bool,
    /// Files that differ.
    pub files: u64,
    /// Lines that were added.
    pub insertions: u64,
    /// Lines that were removed.
    pub deletions: u64,
}

impl Git {
    /// What has changed in the working tree that `directory` lies in, as far as the guard shows it.
    ///
    /// # Errors
    /// See [`GitFailure`].
    pub async fn diff(
        &self,
        guard: &Arc<PathGuard>,
        directory: CheckedPath,
        options: DiffOptions,
    ) -> Result<Patch, GitFailure> {
        let deadline = Instant::now() + TIMEOUT;
        let turn = self.stages.turn(deadline).await?;
        let repository = Arc::new(self.find(guard, directory, &turn, deadline).await?);
        let most = options.most;
        let shown = || Shown::new(guard, repository.root.clone()).only(options.unutterable(&repository));
        let mut all = shown();
        let look = options.look(&repository, &["--patch"]);
        let patch = self.look(&repository, look, &turn, deadline, move |output| {
            patch::read(BufReader::new(output), &mut all, most)
        });
        let Reading { text, truncated, mut counts, unmerged, is_miscounted } = patch.await?;
        if is_miscounted {
            let mut all = shown();
            let look = options.look(&repository, &["--numstat", "-z"]);
            let counted = self.look(&repository, look, &turn, deadline, move |output| {
                sum(BufReader::new(output), &mut all, unmerged)
            });
            counts = counted.await?;
        }
        let Counts { files, insertions, deletions } = counts;
        Ok(Patch { text, truncated, files, insertions, deletions })
    }
}

impl DiffOptions {
    fn look(&self, repository: &Repository, form: &[&str]) -> Look {
        let mut arguments: Vec<_> = ARGUMENTS.iter().chain(form).map(|argument| (*argument).to_owned()).collect();
        if self.staged {
            arguments.push("--staged".to_owned());
        }
        arguments.push("--".to_owned());
        let (mut from, mut variables) = (From::Root, Vec::new());
        match self.only.as_ref().map(|only| (only.text.to_str(), only.literal)) {
            None | Some((None, _)) => {}
            Some((Some(text), true)) => {
                // An absolute path replaces what it is joined to.
                arguments.push(repository.start_below_root().join(text).to_string_lossy().into_owned());
                variables.push(("GIT_LITERAL_PATHSPECS", "1".into()));
            }
            // Only where it starts tells git what it is relative to.
            Some((Some(text), false)) => {
                arguments.push(text.to_owned());
                from = From::Start;
            }
        }
        Look { arguments, from, variables }
    }

    /// The name, from the root, of a file that can't be an argument: what is shown is limited to it instead.
    fn unutterable(&self, repository: &Repository) -> Option<Vec<u8>> {
        let name = self.only.as_ref().map(|only| Path::new(&only.text)).filter(|name| name.to_str().is_none())?;
        let below = repository.start_below_root().join(name);
        let name = below.strip_prefix(&repository.root).unwrap_or(&below);
        // Joined anew, so that no `.` and no slash too many is left.
        Some(name.components().collect::<PathBuf>().into_os_string().into_vec())
    }
}
