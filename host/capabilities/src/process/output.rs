//! What children write: reading, decoding, keeping. Always bounded, and always read to the end.
//!
//! | file | what it holds |
//! |---|---|
//! | `tap` | a pipe, read without waiting |
//! | `decoder` | text across the borders of reads |
//! | `capture` | output that is answered as a whole |
//! | `drain` | pipes that nobody wants any more, but somebody still writes to |

mod capture;
mod decoder;
mod drain;
mod tap;

pub use capture::{Captured, CapturedText};

pub(super) use capture::Capture;
pub(crate) use decoder::Decoder;
pub(super) use drain::Drains;
pub(super) use tap::Tap;
