//! What a descriptor or a directory entry says of itself, and walks over trees of directories.

mod entries;
mod facts;
mod trail;

pub use entries::Entry;
pub use facts::{Facts, FileId, Kind, Time};
pub use trail::Trail;
