//! What has changed in a working tree.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::Instant;

use abxd_guards::path::{CheckedPath, PathGuard};

use super::look::{From, Look};
use super::records::next;
use super::shown::Shown;
use super::{Git, GitFailure, TIMEOUT};

/// Largest answer, in bytes of names and [`CHANGE`] for each. A tree with more changes ends there.
const HEAVIEST: usize = 8 << 20;

/// What a change weighs beside its names.
const CHANGE: usize = 64;

/// The working tree as `git status` sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkingTree {
    /// What git prints behind `## `.
    pub head: Vec<u8>,
    /// What has changed, in git's order.
    pub changes: Vec<Change>,
    /// Whether there are more changes than were asked for.
    pub truncated: bool,
}

/// One line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What the index has otherwise than the last commit: a letter, or a blank.
    pub index: u8,
    /// What the working tree has otherwise than the index.
    pub work_tree: u8,
    /// Name from the root of the working tree; that of a directory ends with `/`.
    pub path: OsString,
    /// Name that it had before a rename, or of what it is a copy.
    pub old_path: Option<OsString>,
}

impl Git {
    /// What has changed in the working tree that `directory` lies in, as far as the guard shows it; at most `most`
    /// changes.
    ///
    /// # Errors
    /// See [`GitFailure`].
    pub async fn status(
        &self,
        guard: &Arc<PathGuard>,
        directory: CheckedPath,
        most: usize,
    ) -> Result<WorkingTree, GitFailure> {
        let deadline = Instant::now() + TIMEOUT;
        let turn = self.stages.turn(deadline).await?;
        let repository = Arc::new(self.find(guard, directory, &turn, deadline).await?);
        let arguments = ["status", "--porcelain=v1", "--branch", "-z"];
        let arguments = arguments.map(str::to_owned).into();
        let mut shown = Shown::new(guard, repository.root.clone());
        let look = Look { arguments, from: From::Root, variables: Vec::new() };
        self.look(&repository, look, &turn, deadline, move |output| tree(BufReader::new(output), &mut shown, most))
            .await
    }
}

fn tree(mut records: impl BufRead, shown: &mut Shown, most: usize) -> io::Result<WorkingTree> {
    let mut tree = WorkingTree::default();
    let mut weight = 0;
    while let Some(record) = next(&mut records)? {
        if let Some(head) = record.strip_prefix(b"## ") {
            tree.head = head.to_vec();
            continue;
        }
        let [index, work_tree, b' ', path @ ..] = &record[..] else { return Err(io::ErrorKind::InvalidData.into()) };
        let has_old = [index, work_tree].iter().any(|letter| matches!(letter, b'R' | b'C'));
        let old_path = if has_old { next(&mut records)? } else { None };
        if !shown.admits(path) || !old_path.as_deref().is_none_or(|old| shown.admits(old)) {
            continue;
        }
        weight += CHANGE + path.len() + old_path.as_ref().map_or(0, Vec::len);
        if tree.changes.len() >= most || weight > HEAVIEST {
            tree.truncated = true;
            break;
        }
        let path = OsString::from_vec(path.to_vec());
        let old_path = old_path.map(OsString::from_vec);
        tree.changes.push(Change { index: *index, work_tree: *work_tree, path, old_path });
    }
    Ok(tree)
}
