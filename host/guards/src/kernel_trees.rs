//! The trees in which the kernel shows itself: no rule opens them, no program is started from them
//! (`contract: guards §1`, `contract: guards §3`).

use std::path::Path;

use crate::path::lexical::below;

const TREES: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The trees.
pub(crate) fn all<'p>() -> impl Iterator<Item = &'p Path> {
    TREES.iter().map(Path::new)
}

/// Whether `path` (absolute and normalised) is one of the trees or lies below one.
pub(crate) fn cover(path: &Path) -> bool {
    all().any(|tree| below(path, tree).is_some())
}
