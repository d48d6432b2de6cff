//! The server: HTTP, the pipeline, the audit log, and what ties policy, guards, capabilities and plugins together.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table`] | the one table of endpoints |
//! | [`deployment`] | table, policy and plugins as they are served at one moment |
//! | [`server`] | the deployment in force, and its replacement |
//! | [`pipeline`] | the steps of every request, in order |
//! | [`answer`] | answers and error bodies as HTTP |
//! | [`audit`] | the audit log |
//! | [`service`] | pipeline and socket as services of the HTTP layer |
//! | [`socket`] | the terminal socket |
//! | [`log`] | the log and its writers |
//! | [`machine`] | from policy to guards |
//! | [`core`] | the native endpoints |
//! | [`cli`] | the command line |

pub mod answer;
pub mod audit;
pub mod cli;
pub mod core;
pub mod deployment;
pub mod log;
pub mod machine;
pub mod pipeline;
pub mod server;
pub mod service;
pub mod socket;
pub mod table;
