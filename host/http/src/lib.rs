//! HTTP/1.1 from the listening socket up to, and without, the request pipeline: connections, their limits and time
//! limits, request heads, bodies that nobody reads, and the end of all of it.
//!
//! Knows nothing of endpoints, policy or plugins: a request that got through its head goes to whatever tower service
//! [`serve()`] was given. What doesn't get through is answered here, and always is answered, never dropped
//! (contract: pipeline §1 step 0, §2).
//!
//! How it hangs together: [`serve()`] owns a task per connection. The HTTP library (hyper) reads through a *gate*, which
//! holds back bytes until a whole head has kept to the limits and never mixes two messages; the connection's task polls
//! the library together with one timer, the rest of an unread body, and a look-out for a peer that leaves.

mod alarm;
mod body;
mod connection;
mod descriptors;
mod exchange;
mod gate;
mod head;
mod linger;
mod listener;
mod peer;
mod rejection;
mod serve;
mod service;
mod settings;
mod signals;
mod wire;

pub use body::{BodyError, RequestBody};
pub use descriptors::raise_descriptor_limit;
pub use listener::{BindError, Listener};
pub use peer::Peer;
pub use serve::{ServeReport, serve};
pub use service::{BoxError, HttpService};
pub use settings::Settings;
