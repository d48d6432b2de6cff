//! What a rule makes of symbolic links.

use std::fmt;

/// Whether paths may lead through links (`contract: guards §1`, step 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symlinks {
    /// Links are followed; what they lead to must lie within the roots.
    #[default]
    Within,
    /// No link below a root.
    Never,
}

impl Symlinks {
    /// The names, in the order of the variants.
    pub(crate) const NAMES: [&'static str; 2] = ["within", "never"];

    /// The setting of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Within, Self::Never].into_iter().find(|symlinks| symlinks.as_str() == name)
    }

    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for Symlinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
