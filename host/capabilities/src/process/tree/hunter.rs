//! The thread that ends trees.
//!
//! It is there from the supervisor's start, so that nothing has to be made while a tree eats up all threads; it has no
//! part in the async runtime, so that a machine full of processes holds up no request. All trees that are being ended
//! share one look at the machine's processes for each round. It ends with the [`Hunter`], after everything of its
//! supervisor has been killed.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Tree;
use super::hunt::{Goal, Hunt, Round};
use super::members::Quarry;
use super::table::Table;
use crate::process::ledger::Owner;

/// How much the thread is preferred, as far as the system lets it (`setpriority(2)`).
const NICE: i32 = -10;

#[derive(Debug, Default)]
struct Desk {
    requests: Mutex<Requests>,
    came: Condvar,
}

#[derive(Debug, Default)]
struct Requests {
    /// What is to be ended and has not been taken up. At most one entry for each tree.
    open: HashMap<Quarry, Hunt>,
    /// The owner of the thread is gone.
    last: bool,
}

impl Desk {
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends trees.
#[derive(Debug)]
pub(in crate::process) struct Hunter {
    desk: Arc<Desk>,
    owner: Owner,
}

impl Hunter {
    /// Starts the thread.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(in crate::process) fn start(owner: Owner) -> io::Result<Self> {
        let desk = Arc::new(Desk::default());
        let works_at = Arc::clone(&desk);
        thread::Builder::new().name("abxd-trees".to_owned()).spawn(move || work(&works_at))?;
        Ok(Self { desk, owner })
    }

    /// Ends a tree. What comes back resolves when it is gone, or when nothing more can be done; it may be dropped.
    pub(in crate::process) fn hunt(&self, tree: Tree, goal: Goal) -> impl Future<Output = ()> + Send + use<> {
        self.ask(Quarry::Tree(tree), goal)
    }

    /// The same for everything.
    pub(in crate::process) fn hunt_everything(&self, goal: Goal) -> impl Future<Output = ()> + Send + use<> {
        self.ask(Quarry::Everything(self.owner), goal)
    }

    fn ask(&self, quarry: Quarry, goal: Goal) -> impl Future<Output = ()> + Send + use<> {
        let (tell, told) = oneshot::channel();
        let mut requests = self.desk.requests();
        requests.open.entry(quarry).or_insert_with(|| Hunt::new(quarry, goal)).join(goal, Some(tell));
        drop(requests);
        self.desk.came.notify_one();
        async move {
            // An error means that the thread has ended, and everything with it.
            let _ = told.await;
        }
    }
}

impl Drop for Hunter {
    fn drop(&mut self) {
        drop(self.hunt_everything(Goal::Kill));
        self.desk.requests().last = true;
        self.desk.came.notify_one();
    }
}

fn work(desk: &Desk) {
    // Only a server with privileges may.
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
    let mut hunts: HashMap<Quarry, (Hunt, Instant)> = HashMap::new();
    loop {
        if !take_up(desk, &mut hunts) {
            return;
        }
        let now = Instant::now();
        let is_due = |at: Instant| at <= now;
        if !hunts.values().any(|(_, at)| is_due(*at)) {
            continue;
        }
        let table = match Table::read() {
            Ok(table) => table,
            Err(cause) => {
                // Nothing can be found, so nobody may wait for it.
                tracing::error!(%cause, "processes can't be told");
                hunts.clear();
                continue;
            }
        };
        hunts.retain(|_, (hunt, at)| {
            if !is_due(*at) {
                return true;
            }
            match hunt.round(&table) {
                Round::Over => false,
                Round::Again(pause) => {
                    *at = Instant::now() + pause;
                    true
                }
            }
        });
    }
}

/// Waits until there is something to do, and takes up what has been asked for. Whether to go on.
fn take_up(desk: &Desk, hunts: &mut HashMap<Quarry, (Hunt, Instant)>) -> bool {
    let mut requests = desk.requests();
    while requests.open.is_empty() {
        let next = hunts.values().map(|(_, at)| at.saturating_duration_since(Instant::now())).min();
        requests = match next {
            Some(Duration::ZERO) => break,
            Some(pause) => desk
                .came
                .wait_timeout(requests, pause)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(held, _)| held),
            None if requests.last => return false,
            None => desk.came.wait(requests).unwrap_or_else(PoisonError::into_inner),
        };
    }
    for (quarry, hunt) in requests.open.drain() {
        match hunts.get_mut(&quarry) {
            Some((known, at)) => {
                known.merge(hunt);
                *at = Instant::now();
            }
            None => {
                hunts.insert(quarry, (hunt, Instant::now()));
            }
        }
    }
    true
}
