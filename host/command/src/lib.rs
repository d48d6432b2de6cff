//! Command lines and the patterns that are written for them (`contract: guards §2`). Pure text: no process, no path,
//! no policy.
//!
//! [`split_words`] reads a command line as POSIX shells do, [`CommandPattern`] is an entry of `allow_commands` or
//! `deny_commands`, and [`MatchingView`] is the form of a command line that patterns are matched against. The policy
//! reads patterns when the server starts; the command guard matches them.
#![forbid(unsafe_code)]

mod pattern;
mod view;
mod words;

pub use pattern::{CommandPattern, CommandPatternError};
pub use view::MatchingView;
pub use words::{SplitError, split_words};
