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

/// After looks that took long there is a pause of this many times as long …
const REST: u32 = 4;
/// … but not of more than this.
const LONGEST_REST: Duration = Duration::from_secs(5);

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
    /// Since when a patrol is under way.
    patrol: Option<Instant>,
    next_patrol: Instant,
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
            patrol: Some(now),
            next_patrol: now,
        };
        while watch.rest == Rest::More {
            watch.turn(Errand::Continue).await?;
        }
        watch.observer.as_mut().ok_or(WatchFailure::Interrupted)?.arm();
        watch.deadline = Instant::now() + options.timeout;
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
        // The patrol before the notices: they may never cease.
        tokio::select! {
            biased;
            () = sleep_until(self.deadline) => None,
            () = sleep_until(self.next_patrol) => {
                self.patrol = Some(Instant::now());
                Some(Errand::Patrol)
            }
            heard = hear(self.ear.as_ref()) => match heard {
                Ok(notices) => Some(Errand::Hear(notices)),
                Err(_) => {
                    self.ear = None;
                    Some(Errand::Deaf)
                }
            },
        }
    }

    async fn turn(&mut self, errand: Errand) -> Result<Vec<super::Change>, WatchFailure> {
        let mut observer = self.observer.take().ok_or(WatchFailure::Interrupted)?;
        let worked = tokio::task::spawn_blocking(move || {
            let turn = observer.turn(errand);
            (observer, turn)
        });
        let (observer, Turn { changes, rest }) = worked.await.map_err(|_| WatchFailure::Interrupted)?;
        self.rest = rest;
        if rest == Rest::Idle
            && let Some(began) = self.patrol.take()
        {
            let respite = (began.elapsed() * REST).min(LONGEST_REST);
            let pause = if observer.needs_looks() { self.interval.max(respite) } else { ROOT_CHECK };
            self.next_patrol = Instant::now() + pause;
        }
        self.observer = Some(observer);
        Ok(changes)
    }
}

/// Registers the descriptor with the runtime.
fn listen(kernel: Arc<Kernel>) -> io::Result<AsyncFd<Arc<Kernel>>> {
    #[expect(
        deprecated,
        reason = "the successor is unsafe because any type may lie of its descriptor; this one owns it"
    )]
    AsyncFd::with_interest(kernel, Interest::READABLE)
}

/// The kernel's next notices. Waits for ever where there is no kernel to listen to.
async fn hear(ear: Option<&AsyncFd<Arc<Kernel>>>) -> io::Result<Vec<Notice>> {
    let Some(ear) = ear else { return std::future::pending().await };
    ear.async_io(Interest::READABLE, |kernel| kernel.read()).await
}
