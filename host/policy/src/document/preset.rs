//! Names of presets.

use std::fmt;

/// A preset (`contract: policy §7`). What each contains is in the layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Nothing beyond the defaults.
    #[default]
    Default,
    /// Only streamed and plain transfers of files.
    TransferOnly,
    /// No writing of files, no running of programs.
    ReadOnly,
    /// No running of programs, secrets out of reach.
    Hardened,
    /// Only registered commands.
    Locked,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [Self::Default, Self::TransferOnly, Self::ReadOnly, Self::Hardened, Self::Locked];

    /// The preset of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.as_str() == name)
    }

    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::TransferOnly => "transfer-only",
            Self::ReadOnly => "read-only",
            Self::Hardened => "hardened",
            Self::Locked => "locked",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
