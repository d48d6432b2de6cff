//! The path guard (`contract: guards §1`).
//!
//! [`PathGuard::check`] turns the text of a request into a [`CheckedPath`], [`PathGuard::check_own`] into an
//! [`OwnPath`] (delete and move, which act on a link itself). Both keep the text that was judged and open exactly
//! that, below the root that admitted it, following no link at all: what the guard judged is what the operation gets.
//! A link swapped in after the check makes the open fail; the path is then judged again, a bounded number of times.
//!
//! Why the descriptor's own path is not looked up again after an open, as a guard that follows links would have to:
//! the kernel walks the judged text itself and refuses every link on the way, so there is no other path that could
//! have been opened.

mod argument;
mod checked;
mod denial;
mod guard;
pub(crate) mod lexical;
mod own;
mod place;
mod protected;
mod reported;
pub(crate) mod resolve;
mod roots;
mod rule;
mod tree;
mod walk;

pub use checked::CheckedPath;
pub use denial::{OpenFailure, PathDenial};
pub use guard::PathGuard;
pub use own::OwnPath;
pub use place::Parent;
pub use protected::{Before, Protected};
pub use reported::Reported;
pub use rule::{Access, PathRule, Symlinks};
pub use walk::Walk;
