//! The host's side of every import.
//!
//! Each function takes what it needs of the call from the store, goes through the guard, acts on what the guard checked,
//! and turns a cause into the interface's `failure`. None of them trusts an argument.

mod browser;
mod bulk;
mod children;
mod clock;
mod code;
mod commands;
mod failure;
mod files;
mod git;
mod log;
mod process;
mod rule;
mod system;
mod terminal;
mod thread;
