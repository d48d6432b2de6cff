//! The command line: options, environment, exit codes, and the one line that says why (contract: cli).

mod check_config;
mod environment;
mod explain;
mod healthcheck;
mod name;
mod policy_errors;
mod ports;
mod sources;
mod starts;
mod usage;
