//! What a guard is built from.

use std::path::PathBuf;

use abxd_glob::DenyPattern;

/// What the caller is about to do with the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Look at it or read it.
    Read,
    /// Create it or change it.
    Write,
    /// Remove it, or move it away.
    Delete,
    /// Run in it, or name it to a command.
    Exec,
}

impl Access {
    /// Whether a read-only rule refuses it (`contract: guards §1 step 9`).
    pub(super) const fn changes(self) -> bool {
        matches!(self, Self::Write | Self::Delete)
    }
}

/// The policy's `symlinks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symlinks {
    /// Links may be followed as long as they stay inside the roots.
    #[default]
    Within,
    /// No link below a root is followed.
    Never,
}

/// The `paths` block of an endpoint's rule.
#[derive(Clone, Debug, Default)]
pub struct PathRule {
    /// Roots, absolute; empty means the base directory.
    pub allow: Vec<PathBuf>,
    /// What is denied inside them.
    pub deny: Vec<DenyPattern>,
    /// Whether writes and deletes are refused.
    pub read_only: bool,
    /// Whether links are followed.
    pub symlinks: Symlinks,
}
