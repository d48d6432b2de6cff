//! Operations that are begun again when what they found is gone before it is used.

use abxd_guards::file::Facts;
use abxd_guards::path::{OpenFailure, Parent};
use rustix::io::Errno;

use super::failure::FileFailure;

/// How often an operation is begun at most.
const ATTEMPTS: usize = 8;

/// Runs `act`, and again as long as something that it has found or made vanishes under it.
///
/// # Errors
/// [`FileFailure::Missing`] when it vanishes each time; else the failure of `act`.
pub(super) fn settle<T>(mut act: impl FnMut() -> Result<T, FileFailure>) -> Result<T, FileFailure> {
    for _ in 0..ATTEMPTS {
        match act() {
            Err(FileFailure::Os(Errno::NOENT)) => {}
            done => return done,
        }
    }
    Err(FileFailure::Missing)
}

/// What came of something that was done in the directory `parent`. Where it failed and `parent` is not the directory any
/// more that `again` opens, that says nothing of the path; what was found is gone, which is `ENOENT`.
///
/// # Errors
/// As above, else the failure of `outcome`.
pub(super) fn in_place<T>(
    outcome: Result<T, FileFailure>,
    parent: &Parent,
    again: impl FnOnce() -> Result<Parent, OpenFailure>,
) -> Result<T, FileFailure> {
    let Err(FileFailure::Os(_)) = outcome else { return outcome };
    let id = |parent: &Parent| Facts::of(parent.dir()).ok().map(|facts| facts.id);
    let is_there = again().is_ok_and(|now| id(&now).is_some_and(|now| id(parent) == Some(now)));
    if is_there { outcome } else { Err(FileFailure::Os(Errno::NOENT)) }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::{ATTEMPTS, settle};
    use crate::files::FileFailure;

    /// What comes of an operation that ends so, one end after the other, and how often it was begun.
    fn settled(ends: impl Fn(usize) -> Result<(), FileFailure>) -> (Result<(), FileFailure>, usize) {
        let mut begun = 0;
        let outcome = settle(|| {
            begun += 1;
            ends(begun)
        });
        (outcome, begun)
    }

    #[test]
    fn what_vanishes_is_looked_for_again_but_not_for_ever() {
        let gone = Err(FileFailure::Os(Errno::NOENT));
        assert_eq!(settled(|begun| if begun < 3 { gone } else { Ok(()) }), (Ok(()), 3));
        assert_eq!(settled(|_| gone), (Err(FileFailure::Missing), ATTEMPTS));
    }

    #[test]
    fn every_other_end_is_the_end() {
        for end in [Ok(()), Err(FileFailure::Os(Errno::NOTDIR)), Err(FileFailure::Exists)] {
            assert_eq!(settled(|_| end), (end, 1));
        }
    }
}
