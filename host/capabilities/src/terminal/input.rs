//! What is to be typed into one terminal, as far as the terminal has not taken it yet.
//!
//! Bytes go to the terminal at once where it takes them; only the rest is kept, and written by the terminal's task when
//! there is room. So what one client does (type, resize, signal) happens in its order, as long as the program reads; and a
//! signal doesn't wait behind input that a program does not read.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, Semaphore};

/// Bytes that wait at most (contract: terminal, attach/detach).
const MOST: usize = 1 << 20;

/// Somewhere that takes some bytes, or says `WouldBlock`.
pub(super) type Write<'a> = &'a (dyn Fn(&[u8]) -> io::Result<usize> + Sync);

/// See the module. Its lock is held while the terminal is asked to take bytes, which never waits.
#[derive(Debug)]
pub(super) struct Input {
    queue: Mutex<VecDeque<u8>>,
    /// One permit for each byte that may be kept. Those who wait get theirs in order.
    room: Semaphore,
    queued: Notify,
}

impl Default for Input {
    fn default() -> Self {
        Self { queue: Mutex::default(), room: Semaphore::new(MOST), queued: Notify::new() }
    }
}

impl Input {
    fn queue(&self) -> MutexGuard<'_, VecDeque<u8>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Types bytes, all of them together; waits until there is room. Thrown away once the terminal has ended.
    pub(super) async fn push(&self, bytes: &[u8], write: Write<'_>) {
        for part in bytes.chunks(MOST) {
            let wanted = u32::try_from(part.len()).unwrap_or(u32::MAX);
            let Ok(permits) = self.room.acquire_many(wanted).await else { return };
            let mut queue = self.queue();
            let taken = if queue.is_empty() { write_all(part, write) } else { 0 };
            let rest = part.get(taken..).unwrap_or_default();
            if rest.is_empty() {
                continue;
            }
            queue.extend(rest);
            drop(queue);
            permits.forget();
            self.room.add_permits(taken);
            self.queued.notify_one();
        }
    }

    /// Returns when something is kept. Cancel safe.
    pub(super) async fn queued(&self) {
        while self.queue().is_empty() {
            self.queued.notified().await;
        }
    }

    /// Writes what is kept, as far as it is taken.
    ///
    /// # Errors
    /// `WouldBlock` where the terminal takes no more now.
    pub(super) fn drain(&self, write: Write<'_>) -> io::Result<()> {
        let mut queue = self.queue();
        while !queue.is_empty() {
            let taken = write(queue.as_slices().0)?;
            if taken == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            queue.drain(..taken);
            self.room.add_permits(taken);
        }
        queue.shrink_to(0);
        Ok(())
    }

    /// The terminal has ended: nothing is kept any more, and nobody waits.
    pub(super) fn end(&self) {
        self.room.close();
        let mut queue = self.queue();
        queue.clear();
        queue.shrink_to(0);
    }
}

/// How many bytes were taken before the terminal would not, or could not.
fn write_all(bytes: &[u8], write: Write<'_>) -> usize {
    let mut taken = 0;
    while let Some(rest) = bytes.get(taken..).filter(|rest| !rest.is_empty()) {
        match write(rest) {
            Ok(some @ 1..) => taken += some,
            _ => break,
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::io;
    use std::pin::pin;
    use std::sync::Mutex;
    use std::task::{Context, Poll, Waker};

    use super::{Input, MOST};

    fn is_done(future: std::pin::Pin<&mut impl Future>) -> bool {
        matches!(future.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(_))
    }

    fn now(future: impl Future) -> bool {
        is_done(pin!(future))
    }

    /// A terminal that takes so many bytes.
    #[derive(Default)]
    struct Terminal {
        typed: Mutex<Vec<u8>>,
        room: Mutex<usize>,
    }

    impl Terminal {
        fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            let mut room = self.room.lock().unwrap();
            let taken = bytes.len().min(*room);
            *room -= taken;
            self.typed.lock().unwrap().extend_from_slice(&bytes[..taken]);
            if taken == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(taken) }
        }

        fn takes(&self, bytes: usize) {
            *self.room.lock().unwrap() += bytes;
        }

        fn typed(&self) -> String {
            String::from_utf8(self.typed.lock().unwrap().clone()).unwrap()
        }
    }

    #[test]
    fn what_the_terminal_takes_is_typed_at_once_and_the_rest_in_order() {
        let (input, terminal) = (Input::default(), Terminal::default());
        let write = |bytes: &[u8]| terminal.write(bytes);
        terminal.takes(3);
        assert!(now(input.push(b"ab", &write)));
        assert!(!now(input.queued()));
        assert!(now(input.push(b"cde", &write)));
        assert!(now(input.queued()));
        // Not before what waits, also where there is room again.
        terminal.takes(1);
        assert!(now(input.push(b"f", &write)));
        assert_eq!(terminal.typed(), "abc");
        assert!(input.drain(&write).is_err());
        assert_eq!(terminal.typed(), "abcd");
        terminal.takes(100);
        input.drain(&write).unwrap();
        assert_eq!(terminal.typed(), "abcdef");
        assert!(!now(input.queued()));
    }

    #[test]
    fn whoever_types_more_than_fits_waits() {
        let (input, terminal) = (Input::default(), Terminal::default());
        let write = |bytes: &[u8]| terminal.write(bytes);
        assert!(now(input.push(&vec![b'a'; MOST - 1], &write)));
        let mut waiting = pin!(input.push(b"bb", &write));
        assert!(!is_done(waiting.as_mut()));
        // Who comes later waits behind, also with less.
        let mut behind = pin!(input.push(b"c", &write));
        assert!(!is_done(behind.as_mut()));
        terminal.takes(2);
        let _ = input.drain(&write);
        assert!(is_done(waiting.as_mut()));
        assert!(is_done(behind.as_mut()));
        terminal.takes(2 * MOST);
        input.drain(&write).unwrap();
        assert!(terminal.typed().ends_with("abbc"));
        assert!(now(input.push(&vec![b'd'; 2 * MOST], &write)), "all room is there again");
    }

    #[test]
    fn nobody_waits_for_a_terminal_that_has_ended() {
        let (input, terminal) = (Input::default(), Terminal::default());
        let write = |bytes: &[u8]| terminal.write(bytes);
        assert!(now(input.push(&vec![b'a'; MOST], &write)));
        let mut waiting = pin!(input.push(b"b", &write));
        assert!(!is_done(waiting.as_mut()));
        input.end();
        assert!(is_done(waiting.as_mut()));
        assert!(!now(input.queued()));
        assert!(now(input.push(b"c", &write)));
    }
}
