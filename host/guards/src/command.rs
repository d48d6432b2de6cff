//! The command guard (`contract: guards §2`).
//!
//! [`CommandGuard::check`] turns the words of a command line into a [`CheckedCommand`]. The words that run are the words
//! that came in; matching looks at a view of them and changes nothing. Nothing is ever handed to a shell.

mod checked;
mod denial;
mod guard;
mod rule;
mod shells;

pub use checked::CheckedCommand;
pub use denial::CommandDenial;
pub use guard::CommandGuard;
pub use rule::CommandRule;
pub use shells::{ShellDenial, admit_shell};
