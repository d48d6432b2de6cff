//! Wall time of a call without its waits in the host.
//!
//! A host call has a deadline of its own, so the time in it is not the component's. What is left is bounded here: a
//! component that sleeps, or that is starved, ends too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Times of one call's waits, in microseconds since it began. One writer, the imports of the call; one reader, its
/// deadline.
#[derive(Debug)]
pub(crate) struct Waits {
    began: Instant,
    base: AtomicU64,
    total: AtomicU64,
    /// When the wait that is going on began, plus one; 0: none is.
    since: AtomicU64,
}

impl Default for Waits {
    fn default() -> Self {
        Self { began: Instant::now(), base: AtomicU64::new(0), total: AtomicU64::new(0), since: AtomicU64::new(0) }
    }
}

impl Waits {
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// A new call begins.
    pub(crate) fn reset(&self) {
        self.base.store(self.now(), Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
        self.since.store(0, Ordering::Relaxed);
    }

    /// A wait begins; it ends when the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> Wait {
        self.since.store(self.now().saturating_add(1), Ordering::Relaxed);
        Wait(self.clone())
    }

    /// Time of the call so far without its waits; none is charged while one goes on.
    fn own(&self) -> Duration {
        let now = match self.since.load(Ordering::Relaxed) {
            0 => self.now(),
            since => since - 1,
        };
        let own = now.saturating_sub(self.base.load(Ordering::Relaxed));
        Duration::from_micros(own.saturating_sub(self.total.load(Ordering::Relaxed)))
    }
}

/// A wait in the host.
#[derive(Debug)]
pub(crate) struct Wait(Arc<Waits>);

impl Drop for Wait {
    fn drop(&mut self) {
        let since = self.0.since.swap(0, Ordering::Relaxed);
        if since > 0 {
            self.0.total.fetch_add(self.0.now().saturating_sub(since - 1), Ordering::Relaxed);
        }
    }
}

/// Run a call, and give up when its own time is over `most`. Dropping it then ends it where it waits.
pub(crate) async fn within<T>(most: Duration, waits: &Arc<Waits>, call: impl Future<Output = T>) -> Option<T> {
    let mut call = std::pin::pin!(call);
    let mut left = most;
    loop {
        match tokio::time::timeout(left, call.as_mut()).await {
            Ok(done) => return Some(done),
            Err(_) => {
                left = most.checked_sub(waits.own()).filter(|left| !left.is_zero())?.max(Duration::from_millis(10));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Waits, within};

    #[tokio::test]
    async fn a_call_that_only_sleeps_is_given_up() {
        let waits = Arc::<Waits>::default();
        assert_eq!(within(Duration::from_millis(20), &waits, std::future::pending::<()>()).await, None);
    }

    #[tokio::test]
    async fn a_wait_in_the_host_is_not_charged() {
        let waits = Arc::<Waits>::default();
        let waiting = waits.clone();
        let call = async move {
            let wait = waiting.begin();
            tokio::time::sleep(Duration::from_millis(60)).await;
            drop(wait);
            7
        };
        assert_eq!(within(Duration::from_millis(20), &waits, call).await, Some(7));
    }
}
