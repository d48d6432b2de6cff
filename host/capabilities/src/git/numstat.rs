//! The counts that git makes itself, for what the lines of a patch don't tell: conflicts, and files that have become
//! links.

use std::collections::HashSet;
use std::io::{self, BufRead};

use super::records::next;
use super::shown::Shown;

/// Files, and lines that came and went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) files: u64,
    pub(super) insertions: u64,
    pub(super) deletions: u64,
}

/// Sums up what `git diff --numstat -z` prints of the files that are shown. A file in `unmerged` has a line more, with
/// nothing counted in it, which is no change.
pub(super) fn sum(mut fields: impl BufRead, shown: &mut Shown, mut unmerged: HashSet<Vec<u8>>) -> io::Result<Counts> {
    let mut counts = Counts::default();
    while let Some(field) = next(&mut fields)? {
        let mut parts = field.splitn(3, |byte| *byte == b'\t');
        let mut part = || parts.next().ok_or(io::ErrorKind::InvalidData);
        let (insertions, deletions, name) = (number(part()?)?, number(part()?)?, part()?);
        let names = if name.is_empty() {
            // Both names of a rename follow, each a field of its own.
            let mut name = || next(&mut fields).and_then(|name| name.ok_or(io::ErrorKind::InvalidData.into()));
            [name()?, name()?]
        } else {
            [name.to_vec(), name.to_vec()]
        };
        let [_, name] = &names;
        let is_conflict = (insertions, deletions) == (0, 0) && unmerged.remove(name);
        if is_conflict || !names.iter().all(|name| shown.admits(name)) {
            continue;
        }
        counts.files += 1;
        counts.insertions += insertions;
        counts.deletions += deletions;
    }
    Ok(counts)
}

/// A count; `-` stands for what has no lines.
fn number(text: &[u8]) -> io::Result<u64> {
    if text == b"-" {
        return Ok(0);
    }
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}
