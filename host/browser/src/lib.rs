//! The browser: one Chromium for the server, one page for each identity (`contract: browser`).
//!
//! | module | what it holds |
//! |---|---|
//! | [`Browser`] | all that can be asked for; turns, and the start of what is not there |
//! | `engine` | one browser process: start, end, profile |
//! | `cdp` | the conversation with it |
//! | `registry` | its sessions, contexts and pages, and what becomes of each event |
//! | `page` | what can be done with a page, and what is known of it |
//! | `console` | what pages write |
//! | `sentry`, `judge`, `proxy`, [`network`] | the URL guard, at every way out |
//!
//! The crate knows nothing of HTTP's routes, of WebAssembly and of policy documents: it is given rules, and URLs that were
//! checked.

mod browser;
mod cdp;
mod console;
mod engine;
mod failure;
mod judge;
pub mod network;
mod page;
mod proxy;
mod registry;
mod sentry;
mod settings;

pub use browser::Browser;
pub use console::ConsoleEntry;
pub use failure::{Failure, Unavailable};
pub use page::{
    Content, ContentForm, ImageFormat, Landing, Milestone, NavigateOptions, Paper, Picture, Printout,
    ScreenshotOptions, TypingOptions,
};
pub use settings::Settings;
