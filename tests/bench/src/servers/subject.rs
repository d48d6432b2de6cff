//! Who is measured.

use std::fmt;

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// abxd with its components.
    Abxd,
    /// The same pipeline and guard with native handlers.
    Native,
    /// A file streamed by the async runtime and the HTTP library, with nothing in between.
    Stream,
    /// No server: programs that are started and waited for, one after the other, by the standard library.
    Spawn,
    /// No server: a pseudo-terminal and a program at it.
    Pty,
    /// No server: Chromium, asked over CDP by the standard library.
    Cdp,
    /// The server whose contract abxd keeps.
    Reference,
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Abxd => "abxd",
            Self::Native => "native handlers",
            Self::Stream => "plain file stream",
            Self::Spawn => "bare spawn loop",
            Self::Pty => "bare pseudo-terminal",
            Self::Cdp => "bare CDP call",
            Self::Reference => "reference",
        })
    }
}
