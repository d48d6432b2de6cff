//! Who calls: tokens, credentials, and what each identity holds (`contract: pipeline §6`).
//!
//! Token values are hashed the moment they come in and compared as digests, in constant time; none is kept, shown or
//! put into an error.

mod caller;
mod credentials;
mod digest;
mod identities;

pub use caller::{ANONYMOUS, Identity};
pub use credentials::Credentials;
pub use identities::{AuthError, Identities, IdentityError};
