//! Group `system` over HTTP.

mod facts;
mod packages;
mod variables;
