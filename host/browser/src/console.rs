//! What pages write to their consoles (`contract: browser`, console).
//!
//! A buffer belongs to an identity and outlives its pages. It holds a bounded number of entries of a bounded length; the
//! oldest make room. The lock is held to add one entry, or to take all.

mod text;

use std::collections::VecDeque;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cdp::protocol::log::Entry as LogEntry;
use crate::cdp::protocol::runtime::{ConsoleApiCalled, ExceptionDetails};

/// Entries of one buffer.
const MOST: usize = 1000;

/// Bytes of all their texts.
const MOST_BYTES: usize = 4 << 20;

/// Bytes of one text.
const LONGEST: usize = 256 << 10;

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsoleEntry {
    /// As CDP calls it: `log`, `warning`, `startGroup`, …
    pub kind: String,
    /// The arguments as text.
    pub text: String,
    /// Seconds since the epoch when it came.
    pub timestamp: f64,
}

/// A buffer.
#[derive(Debug, Default)]
pub(crate) struct Console(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    entries: VecDeque<ConsoleEntry>,
    bytes: usize,
}

impl Console {
    /// All entries, oldest first. The buffer is empty then.
    pub(crate) fn drain(&self) -> Vec<ConsoleEntry> {
        let kept = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        kept.entries.into()
    }

    /// A script called a function of `console`.
    pub(crate) fn called(&self, event: &ConsoleApiCalled) {
        self.push(&event.kind, text::of_arguments(&event.args));
    }

    /// The browser said something.
    pub(crate) fn logged(&self, entry: LogEntry) {
        // A worker's is told by the worker as well; for the icon no page has asked.
        if entry.source != "worker" && !(entry.source == "network" && entry.url.ends_with("/favicon.ico")) {
            self.push(&entry.level, entry.text);
        }
    }

    /// Nobody caught what was thrown.
    pub(crate) fn thrown(&self, details: &ExceptionDetails) {
        self.push("error", text::of_exception(details));
    }

    fn push(&self, kind: &str, mut text: String) {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.shrink_to_fit();
        let timestamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += text.len();
        kept.entries.push_back(ConsoleEntry { kind: kind.to_owned(), text, timestamp });
        while kept.entries.len() > MOST || kept.bytes > MOST_BYTES {
            let Some(oldest) = kept.entries.pop_front() else { break };
            kept.bytes -= oldest.text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Console;

    #[test]
    fn reading_takes_entries_away_in_their_order() {
        let console = Console::default();
        console.push("log", "a".to_owned());
        console.push("warning", "b".to_owned());
        let kinds: Vec<_> = console.drain().into_iter().map(|entry| (entry.kind, entry.text)).collect();
        assert_eq!(kinds, [("log".to_owned(), "a".to_owned()), ("warning".to_owned(), "b".to_owned())]);
        assert!(console.drain().is_empty());
    }

    #[test]
    fn the_oldest_make_room() {
        let console = Console::default();
        for number in 0..1005 {
            console.push("log", number.to_string());
        }
        let entries = console.drain();
        assert_eq!((entries.len(), &*entries[0].text, &*entries[999].text), (1000, "5", "1004"));
    }

    #[test]
    fn long_texts_are_cut_and_make_room_by_their_length() {
        let console = Console::default();
        for _ in 0..20 {
            console.push("log", "é".repeat(200_000));
        }
        let entries = console.drain();
        assert_eq!((entries.len(), entries[0].text.len()), (16, 262_144));
    }
}
