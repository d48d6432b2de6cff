//! What one connection and the rest of the server tell each other. Holds no socket, so that whoever keeps it (a request
//! that outlives its connection) keeps no descriptor open.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;
use hyper::body::Incoming;
use tokio::sync::Notify;

/// What the accept loop wants of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Close if you are in a lull: the place is needed.
    MakeRoom,
    /// Close as soon as the request in flight is answered.
    Stop,
}

/// What a connection does without that costing the server more than its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lull {
    /// It is between two requests, or its first one has not begun.
    Idle,
    /// A request's head has begun and is not whole.
    Head,
}

/// Unsent bytes from which on a body is asked for nothing more.
const MOST_UNSENT: usize = 96 * 1024;

/// See the module.
#[derive(Debug)]
pub(crate) struct Signals {
    /// The connection's task.
    pub(crate) task: AtomicWaker,
    order: AtomicU8,
    /// Microseconds after `opened` at which the lull began, doubled, and one more inside a head; 0 without a lull.
    lull: AtomicU64,
    opened: Instant,
    /// The answer to the request in flight is the last one.
    last: AtomicBool,
    /// The connection has gone over to another protocol.
    switched: AtomicBool,
    /// Bytes of answers that were taken from their bodies and are not in the socket yet.
    unsent: AtomicUsize,
    left: AtomicBool,
    leaving: Notify,
    stopped: AtomicBool,
    stopping: Notify,
    /// A request body that its reader let go of before its end.
    leftover: Mutex<Option<Incoming>>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self {
            task: AtomicWaker::new(),
            order: AtomicU8::new(0),
            lull: AtomicU64::new(0),
            opened: Instant::now(),
            last: AtomicBool::new(false),
            switched: AtomicBool::new(false),
            unsent: AtomicUsize::new(0),
            left: AtomicBool::new(false),
            leaving: Notify::new(),
            stopped: AtomicBool::new(false),
            stopping: Notify::new(),
            leftover: Mutex::new(None),
        }
    }

    pub(crate) fn give(&self, order: Order) {
        let code = match order {
            Order::MakeRoom => 1,
            Order::Stop => 2,
        };
        if order == Order::Stop {
            self.stopped.store(true, Ordering::Release);
            self.stopping.notify_waiters();
        }
        self.order.fetch_max(code, Ordering::AcqRel);
        self.task.wake();
    }

    pub(crate) fn take_order(&self) -> Option<Order> {
        if self.order.load(Ordering::Acquire) == 0 {
            return None;
        }
        match self.order.swap(0, Ordering::AcqRel) {
            1 => Some(Order::MakeRoom),
            2 => Some(Order::Stop),
            _ => None,
        }
    }

    /// Notes a lull, or its end. One that goes on keeps its beginning.
    pub(crate) fn set_lull(&self, lull: Option<Lull>) {
        let kind = match lull {
            None => return self.lull.store(0, Ordering::Release),
            Some(Lull::Idle) => 0,
            Some(Lull::Head) => 1,
        };
        let old = self.lull.load(Ordering::Acquire);
        if old == 0 || old & 1 != kind {
            let micros = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.lull.store(micros.max(1).saturating_mul(2) | kind, Ordering::Release);
        }
    }

    /// The lull that the connection is in, and its beginning; `None` while it is busy, or told to do something already.
    pub(crate) fn lull(&self) -> Option<(Lull, Instant)> {
        if self.order.load(Ordering::Acquire) != 0 {
            return None;
        }
        let noted = self.lull.load(Ordering::Acquire);
        if noted == 0 {
            return None;
        }
        let lull = if noted & 1 == 0 { Lull::Idle } else { Lull::Head };
        Some((lull, self.opened.checked_add(Duration::from_micros(noted / 2))?))
    }

    /// Whether the answer in flight must announce the end of the connection.
    pub(crate) fn set_last(&self, last: bool) {
        self.last.store(last, Ordering::Release);
    }

    pub(crate) fn is_last(&self) -> bool {
        self.last.load(Ordering::Acquire)
    }

    pub(crate) fn switch(&self) {
        self.switched.store(true, Ordering::Release);
    }

    pub(crate) fn has_switched(&self) -> bool {
        self.switched.load(Ordering::Acquire)
    }

    /// Bytes were taken from an answer's body, to be written.
    pub(crate) fn taken(&self, bytes: usize) {
        self.unsent.fetch_add(bytes, Ordering::AcqRel);
    }

    /// Bytes went into the socket: of bodies, and of what is written around them. A body that was held back is asked
    /// again once there is room.
    pub(crate) fn sent(&self, bytes: usize) {
        // Only the connection's task writes.
        let before = self.unsent.load(Ordering::Acquire);
        let after = before.saturating_sub(bytes);
        self.unsent.store(after, Ordering::Release);
        if before >= MOST_UNSENT && after < MOST_UNSENT {
            self.task.wake();
        }
    }

    /// Whether the peer takes what is written fast enough to be given more.
    pub(crate) fn keeps_up(&self) -> bool {
        self.unsent.load(Ordering::Acquire) < MOST_UNSENT
    }

    /// The peer has ended its side, or the connection is over.
    pub(crate) fn leave(&self) {
        self.left.store(true, Ordering::Release);
        self.leaving.notify_waiters();
    }

    pub(crate) fn has_left(&self) -> bool {
        self.left.load(Ordering::Acquire)
    }

    pub(crate) async fn left(&self) {
        told(&self.left, &self.leaving).await;
    }

    /// The server has been told to stop.
    pub(crate) async fn stopping(&self) {
        told(&self.stopped, &self.stopping).await;
    }

    /// Hands the rest of a body to the connection's task.
    pub(crate) fn leave_over(&self, body: Incoming) {
        let old = self.leftover.lock().unwrap_or_else(PoisonError::into_inner).replace(body);
        drop(old);
        self.task.wake();
    }

    pub(crate) fn take_leftover(&self) -> Option<Incoming> {
        self.leftover.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Waits until `flag` is set. Whoever sets it tells `waiters` afterwards.
async fn told(flag: &AtomicBool, waiters: &Notify) {
    let waiting = waiters.notified();
    let mut waiting = std::pin::pin!(waiting);
    // Registered before the look at the flag, or a wake-up between the two would be lost.
    waiting.as_mut().enable();
    if !flag.load(Ordering::Acquire) {
        waiting.await;
    }
}
