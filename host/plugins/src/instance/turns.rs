//! Whose turn it is to compute.
//!
//! Most calls are done before their first tick and never come here. One that is still computing then goes on in turns of
//! one tick: first among the calls of its group, then among the groups. So calls that compute without end, however many
//! there are, keep fewer workers busy than there are, and a group with many of them gets no more than one with a few.
//!
//! A turn belongs to the call that it was given to and ends whenever that call lets go of its worker.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
        GroupTurns { all: self.all.clone(), group: Arc::new(Semaphore::new(self.width)) }
    }
}

/// The turns of one group.
#[derive(Debug, Clone)]
pub(crate) struct GroupTurns {
    all: Arc<Semaphore>,
    group: Arc<Semaphore>,
}

impl GroupTurns {
    /// Wait for a turn, let everybody else's tasks go first, and put the turn into `mine`.
    ///
    /// The call queues up while the turn that is ending still counts as taken, so whoever waits already is before it; a
    /// call that let go first and asked afterwards would find its turn free whenever it is run, however many wait.
    pub(super) async fn next(self, mine: Mine) {
        // Neither is ever closed.
        let group = self.group.acquire_owned().await.ok();
        let all = self.all.acquire_owned().await.ok();
        tokio::task::yield_now().await;
        mine.set(Some(Turn { _all: all, _group: group }));
    }
}

struct Turn {
    _all: Option<OwnedSemaphorePermit>,
    _group: Option<OwnedSemaphorePermit>,
}

/// The turn that a call has, if it has one. The lock is held for a few instructions.
#[derive(Clone, Default)]
pub(crate) struct Mine(Arc<Mutex<Option<Turn>>>);

impl fmt::Debug for Mine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mine").finish_non_exhaustive()
    }
}

impl Mine {
    fn set(&self, turn: Option<Turn>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), turn);
        drop(before);
    }

    /// Run a call. Its turn ends with each poll.
    pub(crate) async fn during<T>(&self, call: impl Future<Output = T>) -> T {
        let mut call = pin!(call);
        poll_fn(|context| {
            let polled = call.as_mut().poll(context);
            self.set(None);
            polled
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{GroupTurns, Mine, Turns};

    /// Computes for so many ticks; keeps count of how many do at the same time.
    async fn compute(turns: GroupTurns, ticks: usize, now: Arc<AtomicUsize>, most: Arc<AtomicUsize>) {
        let mine = Mine::default();
        let call = async {
            for _ in 0..ticks {
                turns.clone().next(mine.clone()).await;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
            }
        };
        mine.during(call).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn fewer_compute_than_there_are_workers() {
        let turns = Turns::new(4);
        let (now, most) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let groups = [turns.of_a_group(), turns.of_a_group()];
        let calls: Vec<_> = (0..20)
            .map(|call| tokio::spawn(compute(groups[call % 2].clone(), 50, now.clone(), most.clone())))
            .collect();
        for call in calls {
            call.await.unwrap();
        }
        assert!(most.load(Ordering::SeqCst) <= 3);
    }

    #[tokio::test]
    async fn a_group_with_one_call_gets_as_many_turns_as_one_with_many() {
        let turns = Turns::new(1);
        let (crowd, lone) = (turns.of_a_group(), turns.of_a_group());
        let spent = Arc::<AtomicUsize>::default();
        let many: Vec<_> = (0..50)
            .map(|_| {
                let (crowd, spent) = (crowd.clone(), spent.clone());
                tokio::spawn(async move {
                    let mine = Mine::default();
                    let call = async {
                        loop {
                            crowd.clone().next(mine.clone()).await;
                            spent.fetch_add(1, Ordering::SeqCst);
                        }
                    };
                    mine.during(call).await
                })
            })
            .collect();
        compute(lone, 100, Arc::default(), Arc::default()).await;
        for call in many {
            call.abort();
        }
        let spent = spent.load(Ordering::SeqCst);
        assert!(spent <= 250, "the crowd had {spent} turns while the lone call had 100");
    }

    #[tokio::test]
    async fn a_call_that_waits_has_no_turn() {
        let turns = Turns::new(1);
        let (group, mine) = (turns.of_a_group(), Mine::default());
        let sleepers = group.clone();
        let sleeper = async {
            sleepers.next(mine.clone()).await;
            std::future::pending::<()>().await;
        };
        let mut sleeper = Box::pin(mine.during(sleeper));
        for _ in 0..3 {
            assert!(tokio::time::timeout(std::time::Duration::from_millis(1), &mut sleeper).await.is_err());
        }
        compute(group, 3, Arc::default(), Arc::default()).await;
    }
}
