//! What a request means to do with a path.

use std::fmt;

/// The operation a path is judged for (`contract: guards §1`, `contract: policy §10`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reading content or metadata.
    Read,
    /// Making or changing something.
    Write,
    /// Removing or moving something away.
    Delete,
    /// Running something there, or with that working directory.
    Exec,
}

impl Access {
    /// The operation of this name, as `op` of `POST /capabilities/check` and `--op` of `check-config` spell it.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Delete, Self::Exec].into_iter().find(|access| access.as_str() == name)
    }

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Exec => "exec",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
