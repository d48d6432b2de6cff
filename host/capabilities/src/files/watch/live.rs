//! One watch, as its owner has it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use abxd_guards::path::CheckedPath;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Instant, sleep_until};

use super::kernel::{Kernel, Notice};
use super::observer::{Errand, Observer, Rest, Turn};
use super::{Notifier, WatchEnd, WatchFailure, WatchOptions, WatchStep};

/// How often it is made sure that the root is still there, where the kernel tells the rest: it does not tell that a
/// directory above the root was renamed.
const ROOT_CHECK: Duration = Duration::from_secs(1);

/// Looks at intervals take at most one part in this many of the time …
const SHARE: u32 = 5;
/// … as long as they need not be further apart than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long changes that happened in time may be reported after the end of it.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// A directory that is being watched.
#[derive(Debug)]
pub struct Watch {
    /// `None` while a turn is under way, and after one that was broken off.
    observer: Option<Box<Observer>>,
    ear: Option<AsyncFd<Arc<Kernel>>>,
    rest: Rest,
    interval: Duration,
    deadline: Instant,
    /// When the latest patrol began, and how long it took once it has ended.
    patrol: Instant,
    patrol_took: Option<Duration>,
}

impl Watch {
    /// Watches the directory. When this returns, whatever happens to what is permitted of it will be reported.
    ///
    /// # Errors
    /// [`WatchFailure::File`] with `Missing` or `NotADirectory` when it is none, `Denied`, `Os`;
    /// [`WatchFailure::Interrupted`].
    pub async fn arm(path: CheckedPath, options: WatchOptions) -> Result<Self, WatchFailure> {
        // Without the kernel's help everything is looked at at intervals.
        let kernel = match options.notifier {
            Notifier::Kernel => Kernel::open().ok().map(Arc::new),
            Notifier::Interval => None,
        };
        let ear = kernel.as_ref().and_then(|kernel| listen(Arc::clone(kernel)).ok());
        let kernel = kernel.filter(|_| ear.is_some());
        let made = tokio::task::spawn_blocking(move || Observer::new(path, &options, kernel));
        let observer = made.await.map_err(|_| WatchFailure::Interrupted)??;
        let now = Instant::now();
        let mut watch = Self {
            observer: Some(Box::new(observer)),
            ear,
            rest: Rest::More,
            interval: options.interval,
            deadline: now,
            patrol: now,
            patrol_took: Some(Duration::ZERO),
        };
        while watch.rest == Rest::More {
            watch.turn(Errand::Continue).await?;
        }
        watch.observer.as_mut().ok_or(WatchFailure::Interrupted)?.arm();
        watch.patrol = Instant::now();
        watch.deadline = watch.patrol + options.timeout;
        Ok(watch)
    }

    /// Waits for the next changes, or the end; after the end the answer stays the same. A call that is dropped before it
    /// returns may end the watch: the next one then fails.
    ///
    /// # Errors
    /// [`WatchFailure::Interrupted`].
    pub async fn next(&mut self) -> Result<WatchStep, WatchFailure> {
        loop {
            let now = Instant::now();
            let is_late = now >= self.deadline;
            let errand = match self.rest {
                Rest::Gone => return Ok(WatchStep::End(WatchEnd::Deleted)),
                _ if is_late && now >= self.deadline + LAST_WORDS => return Ok(WatchStep::End(WatchEnd::Timeout)),
                Rest::More => Errand::Continue,
                Rest::Idle if is_late => match self.ear.as_ref().map(|ear| ear.get_ref().read()) {
                    Some(Ok(notices)) => Errand::Hear(notices),
                    _ => return Ok(WatchStep::End(WatchEnd::Timeout)),
                },
                Rest::Idle => match self.wait().await {
                    Some(errand) => errand,
                    None => continue,
                },
            };
            let changes = self.turn(errand).await?;
            if !changes.is_empty() {
                return Ok(WatchStep::Changes(changes));
            }
        }
    }

    /// Waits for something to do. `None`: the time is up.
    async fn wait(&mut self) -> Option<Errand> {
        let patrol = self.next_patrol();
        tokio::select! {
            biased;
            () = sleep_until(self.deadline) => None,
            heard = hear(self.ear.as_ref()) => match heard {
                Ok(notices) => Some(Errand::Hear(notices)),
                Err(_) => {
                    self.ear = None;
                    Some(Errand::Deaf)
                }
            },
            () = sleep_until(patrol) => {
                self.patrol = Instant::now();
                self.patrol_took = None;
                Some(Errand::Patrol)
            }
        }
    }

    fn next_patrol(&self) -> Instant {
        let needs_looks = self.observer.as_ref().is_some_and(|observer| observer.needs_looks());
        let pause = if needs_looks {
            let fair = self.patrol_took.unwrap_or_default() * SHARE;
            fair.min(LONGEST_PAUSE).max(self.interval)
        } else {
            ROOT_CHECK
        };
        self.patrol + pause
    }

    async fn turn(&mut self, errand: Errand) -> Result<Vec<super::Change>, WatchFailure> {
        let mut observer = self.observer.take().ok_or(WatchFailure::Interrupted)?;
        let worked = tokio::task::spawn_blocking(move || {
            let turn = observer.turn(errand);
            (observer, turn)
        });
        let (observer, Turn { changes, rest }) = worked.await.map_err(|_| WatchFailure::Interrupted)?;
        self.observer = Some(observer);
        self.rest = rest;
        if rest == Rest::Idle && self.patrol_took.is_none() {
            self.patrol_took = Some(self.patrol.elapsed());
        }
        Ok(changes)
    }
}

/// Registers the descriptor with the runtime.
fn listen(kernel: Arc<Kernel>) -> io::Result<AsyncFd<Arc<Kernel>>> {
    #[expect(deprecated, reason = "the successor is unsafe because any type may lie of its descriptor; this one owns it")]
    AsyncFd::with_interest(kernel, Interest::READABLE)
}

/// The kernel's next notices. Waits for ever where there is no kernel to listen to.
async fn hear(ear: Option<&AsyncFd<Arc<Kernel>>>) -> io::Result<Vec<Notice>> {
    let Some(ear) = ear else { return std::future::pending().await };
    ear.async_io(Interest::READABLE, |kernel| kernel.read()).await
}
