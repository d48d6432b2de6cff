//! The URL guard against its contract. No network: names are resolved from a table.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

mod addresses;
mod oracle;
mod restricted;
mod spellings;
mod stage;
mod table;
