//! One page: what can be done with it.
//!
//! A page has a context of its own and is used by one call at a time. Everything that waits has an end; what a call that was
//! given up leaves behind (a script that runs, a document that loads) is ended by [`Page::settle`].

mod call;
mod click;
mod content;
mod evaluate;
mod keys;
mod library;
mod navigate;
mod open;
mod print;
mod screenshot;
mod settle;
mod state;
mod typing;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

pub use content::{Content, ContentForm};
pub use navigate::{Landing, NavigateOptions};
pub use print::{Paper, Printout};
pub use screenshot::{ImageFormat, Picture, ScreenshotOptions};
pub use state::Milestone;
pub(crate) use state::State;
pub use typing::TypingOptions;

use crate::cdp::{Connection, SessionId};
use library::Loaded;

/// Size of the view in CSS pixels (`contract: browser`, page state).
pub(crate) const VIEW: (u32, u32) = (1280, 720);

/// How long waits take that have no time of their own.
pub(crate) const USUAL: Duration = Duration::from_secs(30);

/// Bytes of the largest image, PDF, content or result.
pub(crate) const LARGEST: u64 = 32 << 20;

/// A page.
#[derive(Debug)]
pub(crate) struct Page {
    connection: Connection,
    session: SessionId,
    /// Its context in the browser.
    context: String,
    state: Arc<State>,
    library: Mutex<Option<Loaded>>,
    /// The mouse button is down.
    is_held: AtomicBool,
}

impl Page {
    /// Whether it is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.state.is_lost()
    }

    /// Its context in the browser.
    pub(crate) fn context(&self) -> &str {
        &self.context
    }
}

/// A time with an end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// All of it.
    pub(crate) time: Duration,
    /// When it is over.
    pub(crate) end: Instant,
}

/// How long a page may take to say that a time is over.
const GRACE: Duration = Duration::from_millis(500);

/// Nobody waits longer than this, whatever is asked for.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

impl Limit {
    /// One that begins now.
    pub(crate) fn of(time: Duration) -> Self {
        Self { time, end: Instant::now() + time.min(LONGEST) }
    }

    /// What is left of it, in milliseconds.
    pub(crate) fn left(&self) -> u64 {
        let left = self.end.saturating_duration_since(Instant::now()).as_millis();
        u64::try_from(left).unwrap_or(u64::MAX)
    }

    /// The same with a little more: for a script that waits as long as this and then says what stood in the way.
    pub(crate) fn with_grace(self) -> Self {
        Self { end: self.end + GRACE, ..self }
    }
}
