//! The environment guard (`contract: guards §4`): variables that a request gives its child, or sets for all children.
//!
//! [`EnvGuard::check`] judges the pairs of a request by their form and prefix. What comes out, [`JudgedEnvironment`],
//! can be turned into a [`CheckedEnvironment`] in two ways only, and each takes the names that nobody may give:
//! [`JudgedEnvironment::for_child`] and [`JudgedEnvironment::for_server`]. Other checks of a request stand between the
//! two steps (`contract: guards §2`, order inside an exec endpoint).

mod checked;
mod denial;
mod guard;
mod names;
mod secrets;
mod variables;

pub use checked::{CheckedEnvironment, JudgedEnvironment};
pub use denial::EnvDenial;
pub use guard::EnvGuard;
pub use secrets::SecretNames;
pub use variables::VariableRule;
