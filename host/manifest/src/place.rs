use std::fmt;

/// Where in a manifest something is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A key of the manifest itself.
    Top(&'static str),
    /// A key of its budget.
    Budget(&'static str),
    /// A key of one endpoint.
    Endpoint {
        /// Counted from 1.
        number: usize,
        /// As written, so perhaps no id at all.
        id: String,
        /// The key.
        key: &'static str,
    },
    /// A key of one command.
    Command {
        /// Counted from 1.
        number: usize,
        /// As written.
        name: String,
        /// The key.
        key: &'static str,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top(key) => f.write_str(key),
            Self::Budget(key) => write!(f, "budget: {key}"),
            Self::Endpoint { number, id, key } => write!(f, "endpoint {number} ({id:?}): {key}"),
            Self::Command { number, name, key } => write!(f, "command {number} ({name:?}): {key}"),
        }
    }
}
