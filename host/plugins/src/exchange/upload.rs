//! Bytes from the client that a component directs and never sees.

use abxd_body::{Spool, UnreadBody};

/// A body or a part of one. Owned by the instance's table, then by the import that takes it; what is left of an unread
/// body when it is dropped ends the connection after the answer.
#[derive(Debug)]
pub enum Upload {
    /// Still on the connection.
    Unread(UnreadBody),
    /// Read, and set aside.
    Aside(Spool),
}

impl Upload {
    /// Number of bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Unread(body) => body.size(),
            Self::Aside(spool) => spool.size(),
        }
    }
}
