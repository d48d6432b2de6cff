//! Who computes when.
//!
//! A worker that polls a call is kept until the call waits for something or its tick is over. Many calls that compute for
//! long would keep everybody else waiting, so:
//!
//! - The calls of a group whose polls take long on average, and any call that has computed for a whole tick, take turns.
//!   All turns together keep fewer workers busy than there are. A group whose polls are short, as they should be, pays a
//!   look at the clock.
//! - Turns go round among the groups. So a group with many such calls gets no more than one with a few.
//! - Within a group, calls that have computed for a whole tick line up among themselves first. So a short call waits for
//!   the turns of a few of them, however many there are.
//!
//! A call holds its turn for one poll, and its place in a line until it has the turn or is dropped. One whose tick is over
//! lines up again at once, behind all that wait already: if it asked only when it is run next, it might find nobody in the
//! line, since others would not have been run yet.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// Average time of a poll from which a group's calls take turns.
const SLOW: Duration = Duration::from_millis(1);

/// The turns of all groups.
#[derive(Debug)]
pub struct Turns {
    width: usize,
    all: Arc<Semaphore>,
}

impl Turns {
    /// Turns on a runtime with so many workers: one of them is left to everybody else, where there is more than one.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        let width = workers.saturating_sub(1).max(1);
        Self { width, all: Arc::new(Semaphore::new(width)) }
    }

    pub(crate) fn of_a_group(&self) -> GroupTurns {
        let line = || Arc::new(Semaphore::new(self.width));
        GroupTurns { all: self.all.clone(), group: line(), long: line(), pace: Pace::default() }
    }
}

/// The ticks that a call has computed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<AtomicU32>);

impl Progress {
    /// A new call begins.
    pub(super) fn begin(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The call's tick is over and it is still computing. Returns how many there were, this one counted.
    pub(super) fn tick(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed).saturating_add(1)
    }

    fn ticks(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The turns of one group.
#[derive(Debug)]
pub(crate) struct GroupTurns {
    /// The line of everybody. A group has no more calls in it than there are turns.
    all: Arc<Semaphore>,
    /// The line of the group.
    group: Arc<Semaphore>,
    /// The line before that, of the group's long calls.
    long: Arc<Semaphore>,
    pace: Pace,
}

impl GroupTurns {
    /// Run a call, each poll of it in its turn.
    pub(crate) async fn during<T>(&self, progress: &Progress, call: impl Future<Output = T>) -> T {
        let mut call = pin!(call);
        let mut places = Places::of(self);
        poll_fn(|context| {
            let before = progress.ticks();
            ready!(places.turn(before > 0, self.pace.is_slow(), context));
            let begin = Instant::now();
            let polled = call.as_mut().poll(context);
            self.pace.note(begin.elapsed());
            places.leave();
            if polled.is_pending() && progress.ticks() > before {
                // Should it be its turn at once, it keeps it. It is run again in any case: it has only yielded.
                let _ = places.turn(true, true, context);
            }
            polled
        })
        .await
    }
}

/// Where a call is in the three lines.
struct Places<'a> {
    long: Place<'a>,
    group: Place<'a>,
    all: Place<'a>,
}

impl<'a> Places<'a> {
    fn of(turns: &'a GroupTurns) -> Self {
        let [long, group, all] = [&turns.long, &turns.group, &turns.all].map(Place::in_line);
        Self { long, group, all }
    }

    /// Wait for the turn, where the call is to have one.
    fn turn(&mut self, is_long: bool, is_slow: bool, context: &mut Context<'_>) -> Poll<()> {
        if is_long {
            ready!(self.long.poll(context));
        }
        // What was asked for is waited for, whatever has changed meanwhile: the line may already have come to it.
        if is_long || is_slow || self.group.is_taken() {
            ready!(self.group.poll(context));
            ready!(self.all.poll(context));
        }
        Poll::Ready(())
    }

    fn leave(&mut self) {
        for place in [&mut self.all, &mut self.group, &mut self.long] {
            place.turn = None;
        }
    }
}

/// A place in a line, once it is asked for; then the turn itself.
struct Place<'a> {
    turns: &'a Arc<Semaphore>,
    line: Option<PollSemaphore>,
    waits: bool,
    turn: Option<OwnedSemaphorePermit>,
}

impl<'a> Place<'a> {
    fn in_line(turns: &'a Arc<Semaphore>) -> Self {
        Self { turns, line: None, waits: false, turn: None }
    }

    /// Whether it was asked for and not left yet.
    fn is_taken(&self) -> bool {
        self.waits || self.turn.is_some()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.turn.is_none() {
            self.waits = true;
            let line = self.line.get_or_insert_with(|| PollSemaphore::new(self.turns.clone()));
            // It is never closed.
            self.turn = ready!(line.poll_acquire(context));
            self.waits = false;
        }
        Poll::Ready(())
    }
}

/// Average time of a group's polls, in nanoseconds. Lost updates don't matter.
#[derive(Debug, Default)]
struct Pace(AtomicU64);

impl Pace {
    fn note(&self, took: Duration) {
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let average = self.0.load(Ordering::Relaxed);
        self.0.store((average - average / 8).saturating_add(took / 8), Ordering::Relaxed);
    }

    fn is_slow(&self) -> bool {
        u128::from(self.0.load(Ordering::Relaxed)) >= SLOW.as_nanos()
    }
}

#[cfg(test)]
mod tests;
