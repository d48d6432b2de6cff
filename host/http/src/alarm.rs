//! The one timer of a connection.

use std::pin::Pin;
use std::task::Context;

use tokio::time::{Instant, Sleep, sleep_until};

/// Wakes the task at or before the deadline that it was last asked about. It is moved only to an earlier time, or when
/// it has gone off too early: with thousands of requests a second the deadline moves all the time, and a timer that
/// goes off once in a while for nothing is cheaper than one that follows.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Alarm {
    /// Whether `deadline` has passed. If not, the task is woken in time to ask again.
    pub(crate) fn poll_passed(&mut self, deadline: Instant, cx: &mut Context<'_>) -> bool {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if deadline < sleep.deadline() {
            sleep.as_mut().reset(deadline);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if Instant::now() >= deadline {
                return true;
            }
            sleep.as_mut().reset(deadline);
        }
        false
    }
}
