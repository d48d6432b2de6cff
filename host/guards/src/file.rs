//! What a descriptor or a directory entry says of itself, walks over trees of directories, and whole files of the
//! operator's.

mod entries;
mod facts;
mod trail;
mod whole;

pub use entries::Entry;
pub use facts::{Facts, FileId, Kind, Time};
pub use trail::Trail;
pub use whole::{ReadFailure, is_pipe, read_whole, read_whole_or_pipe};
