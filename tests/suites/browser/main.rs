//! The browser group over HTTP, with a real Chromium (contract: browser).
//!
//! | module | what it holds the server to |
//! |---|---|
//! | [`navigation`] | loading pages, those that are slow, hang or are none |
//! | [`forms`] | typing, clicking, submitting |
//! | [`dialogs`] | alerts, confirmations, prompts, pages that do not want to be left, downloads |
//! | [`documents`] | content, images, PDFs, consoles |
//! | [`evaluation`] | scripts and their values |
//! | [`guard`] | the URL guard at every door (decision D61) |
//! | [`identities`] | a page for each caller |
//! | [`losses`] | pages and browsers that crash, callers that leave |
//! | [`b37_leaked_browsers`] | what users reported |
//! | [`comparison`] | the same as the real Playwright, step by step |
//! | [`ends`] | what is left when the server has stopped; servers without a browser |
//!
//! `cargo xtask test-browser` runs it, in a network of its own: see [`site`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that can't set its stage has failed"
)]

mod b37_leaked_browsers;
mod comparison;
mod dialogs;
mod documents;
mod ends;
mod evaluation;
mod forms;
mod guard;
#[path = "../harness/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the other suites use more of it")]
mod harness;
mod identities;
mod losses;
mod navigation;
mod site;
mod stage;
