//! What the two directions of one socket tell each other.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// See the module. Its lock is held for moments.
#[derive(Debug, Default)]
pub(super) struct Line {
    state: Mutex<State>,
    changed: Notify,
    owed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// What the last ping of the peer wants back. Older ones need no answer (RFC 6455 §5.5.3).
    pong: Option<Bytes>,
    /// The own ping that is not answered.
    ping: Option<Ping>,
    pings: u64,
    /// Whether a message is being received.
    receives: bool,
    /// Time in which nothing was read because one was.
    busy: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Ping {
    number: u64,
    sent: Instant,
    /// [`State::busy`] then.
    busy: Duration,
}

impl Line {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ping of the peer.
    pub(super) fn owe(&self, payload: Bytes) {
        self.state().pong = Some(payload);
        self.owed.notify_one();
    }

    /// The pong that is owed, if one is.
    pub(super) fn take_owed(&self) -> Option<Bytes> {
        self.state().pong.take()
    }

    /// Returns when a pong may be owed.
    pub(super) async fn owed(&self) {
        self.owed.notified().await;
    }

    /// Payload of a new ping; none while the last one is not answered. That one again while a message is being received:
    /// nothing is read then, and a peer that is gone is only noticed by what is written to it.
    pub(super) fn ping(&self, now: Instant) -> Option<[u8; 8]> {
        let mut state = self.state();
        if let Some(ping) = state.ping {
            return state.receives.then(|| ping.number.to_be_bytes());
        }
        state.pings = state.pings.wrapping_add(1);
        let ping = Ping { number: state.pings, sent: now, busy: state.busy };
        state.ping = Some(ping);
        drop(state);
        self.changed.notify_one();
        Some(ping.number.to_be_bytes())
    }

    /// A pong of the peer. One that nobody asked for means nothing.
    pub(super) fn answered(&self, payload: &[u8]) {
        let mut state = self.state();
        if state.ping.is_some_and(|ping| ping.number.to_be_bytes() == payload) {
            state.ping = None;
        }
    }

    /// Nothing is read from now on.
    pub(super) fn is_busy(&self) {
        self.state().receives = true;
    }

    /// Nothing was read for so long.
    pub(super) fn was_busy(&self, time: Duration) {
        let mut state = self.state();
        state.receives = false;
        state.busy += time;
    }

    /// Returns when a ping has not been answered for `within`. Cancel safe.
    pub(super) async fn overdue(&self, within: Duration) {
        loop {
            let due = {
                let state = self.state();
                state.ping.map(|ping| ping.sent + within + state.busy.saturating_sub(ping.busy))
            };
            match due {
                None => self.changed.notified().await,
                Some(due) if due <= Instant::now() => return,
                Some(due) => sleep_until(due).await,
            }
        }
    }
}
