//! The output of one terminal and those who watch it.
//!
//! Everything is behind one lock that is held to copy bytes or numbers. The terminal's task puts in what it reads, and
//! reads no more while a client is too far behind; each client takes from its own place.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::scrollback::{SHOWN, SPARE, Scrollback};
use crate::process::Exit;

/// Bytes that a client gets at once (contract: terminal, server to client).
const PIECE: usize = 64 << 10;

/// Number of a client of one terminal.
pub(super) type Client = u64;

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Bytes that the terminal has put out, in order, nothing twice and nothing left out.
    Output(Vec<u8>),
    /// The shell has ended, and this was all.
    End(Exit),
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Output {
    state: Mutex<State>,
    /// Something was put in.
    grown: Notify,
    /// A client has taken something, or left.
    taken: Notify,
}

#[derive(Debug, Default)]
struct State {
    scrollback: Scrollback,
    /// How far each client has come; `None` once it was told of the end.
    clients: BTreeMap<Client, Option<u64>>,
    next: Client,
    end: Option<Exit>,
}

impl State {
    /// Whether no client is more than its queue behind (contract: terminal, attach/detach).
    fn has_room(&self) -> bool {
        let end = self.scrollback.end();
        self.clients.values().flatten().all(|place| end - place <= SHOWN as u64)
    }
}

impl Output {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when more may be read. Cancel safe.
    pub(super) async fn room(&self) {
        loop {
            // There is one who waits, so a permit is as good as being registered.
            if self.state().has_room() {
                return;
            }
            self.taken.notified().await;
        }
    }

    /// A piece that was read, not longer than [`SPARE`].
    pub(super) fn push(&self, piece: &[u8]) {
        debug_assert!(piece.len() <= SPARE);
        self.state().scrollback.push(piece);
        self.grown.notify_waiters();
    }

    /// Nothing more will come.
    pub(super) fn end(&self, exit: Exit) {
        self.state().end = Some(exit);
        self.grown.notify_waiters();
    }

    /// A client comes: it is shown what is kept, then what follows.
    pub(super) fn enter(&self) -> Client {
        let mut state = self.state();
        let client = state.next;
        state.next += 1;
        let place = state.scrollback.first();
        state.clients.insert(client, Some(place));
        client
    }

    /// It goes.
    pub(super) fn leave(&self, client: Client) {
        self.state().clients.remove(&client);
        self.taken.notify_one();
    }

    /// How many there are.
    pub(super) fn clients(&self) -> usize {
        self.state().clients.len()
    }

    /// The next thing for a client; waits for ever behind the end. Cancel safe.
    pub(super) async fn next(&self, client: Client) -> Shown {
        loop {
            let grown = self.grown.notified();
            tokio::pin!(grown);
            // Before the look, or what comes between the two would not wake it.
            grown.as_mut().enable();
            if let Some(shown) = self.take(client) {
                self.taken.notify_one();
                return shown;
            }
            grown.await;
        }
    }

    fn take(&self, client: Client) -> Option<Shown> {
        let mut state = self.state();
        let state = &mut *state;
        let slot = state.clients.get_mut(&client)?;
        let place = slot.as_mut()?;
        let piece = state.scrollback.read(*place, PIECE);
        if !piece.is_empty() {
            *place += piece.len() as u64;
            return Some(Shown::Output(piece));
        }
        let exit = state.end?;
        *slot = None;
        Some(Shown::End(exit))
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::{Exit, Output, PIECE, SHOWN, SPARE, Shown};

    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    fn output(shown: Option<Shown>) -> Vec<u8> {
        match shown {
            Some(Shown::Output(bytes)) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_client_sees_everything_once_and_then_the_end() {
        let output = Output::default();
        output.push(b"before ");
        let (one, other) = (output.enter(), output.enter());
        output.push(b"after");
        for client in [one, other] {
            assert_eq!(now(output.next(client)), Some(Shown::Output(b"before after".to_vec())));
            assert_eq!(now(output.next(client)), None);
        }
        output.push(b"last");
        output.end(Exit::KILLED);
        assert_eq!(now(output.next(one)), Some(Shown::Output(b"last".to_vec())));
        assert_eq!(now(output.next(one)), Some(Shown::End(Exit::KILLED)));
        assert_eq!(now(output.next(one)), None);
        // One that comes now is shown the same.
        let late = output.enter();
        assert_eq!(now(output.next(late)), Some(Shown::Output(b"before afterlast".to_vec())));
        assert_eq!(now(output.next(late)), Some(Shown::End(Exit::KILLED)));
    }

    #[test]
    fn pieces_are_bounded() {
        let state = Output::default();
        for _ in 0..3 {
            state.push(&[b'x'; PIECE]);
        }
        let client = state.enter();
        for _ in 0..3 {
            assert_eq!(output(now(state.next(client))).len(), PIECE);
        }
    }

    #[test]
    fn a_client_that_is_behind_holds_the_terminal_up_until_it_takes_something_or_leaves() {
        let state = Output::default();
        let client = state.enter();
        let mut pushed = 0;
        while now(state.room()).is_some() {
            state.push(&[b'x'; SPARE]);
            pushed += SPARE;
        }
        assert_eq!(pushed, SHOWN + SPARE);
        let taken = output(now(state.next(client)));
        assert_eq!(taken.len(), PIECE);
        assert!(now(state.room()).is_some());
        state.push(&[b'x'; SPARE]);
        assert!(now(state.room()).is_none());
        // Nothing was lost meanwhile.
        let rest: usize = std::iter::from_fn(|| now(state.next(client))).map(|shown| output(Some(shown)).len()).sum();
        assert_eq!(rest + taken.len(), SHOWN + 2 * SPARE);
        state.push(&[b'x'; SPARE]);
        state.leave(client);
        assert!(now(state.room()).is_some());
        assert_eq!(state.clients(), 0);
    }

    #[test]
    fn nobody_holds_up_a_terminal_that_nobody_watches() {
        let state = Output::default();
        for _ in 0..100 {
            assert!(now(state.room()).is_some());
            state.push(&[b'x'; SPARE]);
        }
        assert!(now(state.room()).is_some());
    }
}
