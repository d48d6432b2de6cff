//! Calls that wait for their answers.
//!
//! A [`Desk`] belongs to one interpreter. A [`Ticket`] belongs to whoever waits; dropped early, its answer is dropped when it
//! comes. When the interpreter ends, the desk is closed and everybody is told.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use abxd_capabilities::process::CapturedText;
use serde::Deserialize;
use tokio::sync::oneshot;

use super::frame::LOADING;

/// Calls that may run in one interpreter, those included that nobody waits for any more.
const MOST: usize = 1024;

/// An error that the interpreter tells of.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Failed {
    #[serde(rename = "type")]
    pub(super) class: String,
    pub(super) text: String,
    /// Of loading: what was being loaded.
    pub(super) source: Option<String>,
    /// Of loading: the interpreter's exit.
    pub(super) exit: Option<u8>,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub(super) enum Refused {
    /// The interpreter ended before it began the call.
    NotBegun,
    /// Too many calls are running.
    Busy,
    /// An error.
    Failed(Failed),
    /// The interpreter ended, in this way.
    Ended(String),
}

/// An answer.
pub(super) type Answer = Result<CapturedText, Refused>;

/// The desk of one interpreter.
#[derive(Debug, Default)]
pub(super) struct Desk(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    /// Every call that was sent and not answered. The sender is gone once nobody waits.
    running: HashMap<u64, Running>,
    last: u64,
    closed: bool,
}

#[derive(Debug)]
struct Running {
    begun: bool,
    waiting: Option<oneshot::Sender<Answer>>,
}

/// The right to one answer.
#[derive(Debug)]
pub(super) struct Ticket<'a> {
    pub(super) number: u64,
    answer: oneshot::Receiver<Answer>,
    desk: &'a Desk,
}

impl Desk {
    /// Before the call is sent.
    pub(super) fn enter(&self) -> Result<Ticket<'_>, Refused> {
        let mut calls = self.calls();
        if calls.running.len() >= MOST {
            return Err(Refused::Busy);
        }
        calls.last += 1;
        let number = calls.last;
        calls.ticket(self, number, false)
    }

    /// Before what is to be loaded is sent.
    pub(super) fn enter_loading(&self) -> Result<Ticket<'_>, Refused> {
        self.calls().ticket(self, LOADING, true)
    }

    /// The interpreter has begun a call.
    pub(super) fn begun(&self, number: u64) {
        if let Some(running) = self.calls().running.get_mut(&number) {
            running.begun = true;
        }
    }

    /// Whether anybody waits for an answer.
    pub(super) fn is_awaited(&self, number: u64) -> bool {
        self.calls().running.get(&number).is_some_and(|running| running.waiting.is_some())
    }

    /// The answer of a call.
    pub(super) fn answer(&self, number: u64, answer: Answer) {
        let waiting = self.calls().running.remove(&number).and_then(|running| running.waiting);
        if let Some(waiting) = waiting {
            // Whoever waited may have left this moment.
            let _ = waiting.send(answer);
        }
    }

    /// The interpreter has ended.
    pub(super) fn close(&self, how: &str) {
        let mut calls = self.calls();
        calls.closed = true;
        for (_, running) in calls.running.drain() {
            let told = if running.begun { Refused::Ended(how.to_owned()) } else { Refused::NotBegun };
            if let Some(waiting) = running.waiting {
                let _ = waiting.send(Err(told));
            }
        }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calls {
    fn ticket<'a>(&mut self, desk: &'a Desk, number: u64, begun: bool) -> Result<Ticket<'a>, Refused> {
        if self.closed {
            return Err(Refused::NotBegun);
        }
        let (tell, answer) = oneshot::channel();
        self.running.insert(number, Running { begun, waiting: Some(tell) });
        Ok(Ticket { number, answer, desk })
    }
}

impl Ticket<'_> {
    /// Wait for the answer.
    pub(super) async fn answer(mut self) -> Answer {
        (&mut self.answer).await.unwrap_or(Err(Refused::NotBegun))
    }

    /// The call could not be sent after all.
    pub(super) fn give_back(self) {
        self.desk.calls().running.remove(&self.number);
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(running) = self.desk.calls().running.get_mut(&self.number) {
            running.waiting = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use abxd_capabilities::process::CapturedText;
    use bytes::Bytes;

    use super::{Desk, MOST, Refused};

    fn result() -> CapturedText {
        CapturedText::Memory(Bytes::from_static(b"1"))
    }

    #[tokio::test]
    async fn answers_reach_whoever_waits() {
        let desk = Desk::default();
        let (one, two) = (desk.enter().unwrap(), desk.enter().unwrap());
        assert!(desk.is_awaited(one.number) && one.number != two.number);
        desk.answer(two.number, Ok(result()));
        assert!(two.answer().await.is_ok());
        let number = one.number;
        drop(one);
        assert!(!desk.is_awaited(number));
        desk.answer(number, Ok(result()));
    }

    #[tokio::test]
    async fn the_end_tells_what_was_begun_from_what_was_not() {
        let desk = Desk::default();
        let (begun, not) = (desk.enter().unwrap(), desk.enter().unwrap());
        desk.begun(begun.number);
        desk.close("it ended");
        assert!(matches!(begun.answer().await, Err(Refused::Ended(how)) if how == "it ended"));
        assert!(matches!(not.answer().await, Err(Refused::NotBegun)));
        assert!(matches!(desk.enter(), Err(Refused::NotBegun)));
    }

    #[test]
    fn calls_are_bounded_also_when_nobody_waits() {
        let desk = Desk::default();
        for _ in 0..MOST {
            drop(desk.enter().unwrap());
        }
        assert!(matches!(desk.enter(), Err(Refused::Busy)));
        desk.answer(1, Ok(result()));
        desk.enter().unwrap().give_back();
        assert!(desk.enter().is_ok());
    }
}
