//! Black-box suites: every test starts the built server and speaks to it as its users do.
//!
//! | suite | what it holds the server to |
//! |---|---|
//! | [`reports`] | what users of such servers reported, one file per report |
//! | [`pipeline`] | the steps of every request, their order and their answers (contract: pipeline) |
//! | [`cli`] | the command line: options, environment, exit codes (contract: cli) |
//! | [`client`] | the published Python client: what users call |
//! | [`commands`] | the commands group over HTTP, whatever registers them (contract: commands) |
//! | [`files`] | the files group over HTTP (contract: file_ops) |
//! | [`processes`] | the process group over HTTP (contract: process) |
//! | [`system`] | the system group over HTTP (contract: system) |
//! | [`terminals`] | the terminal group over HTTP and its socket (contract: terminal) |
//! | [`dev_tools`] | code and git over HTTP (contract: dev_tools) |
//! | [`plugins`] | components of third parties, the broken and the hostile among them (decisions D70 to D74) |
//! | [`structure`] | what must hold of the code itself |
//!
//! `ABXD_BIN` names the server; without it the one in the target folder is taken. None of the tests is ever skipped.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that can't set its stage has failed"
)]

mod cli;
mod client;
mod commands;
mod dev_tools;
mod files;
mod harness;
mod pipeline;
mod plugins;
mod processes;
mod reports;
mod structure;
mod system;
mod terminals;
