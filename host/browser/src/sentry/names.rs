//! Looking names up: bounded in number and time, and remembered for a moment.
//!
//! The moment is what lets a page's request and the connection that it leads to see the same addresses.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use abxd_guards::url::Resolver;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

/// How long an answer counts.
const FRESH: Duration = Duration::from_secs(5);

/// How long a look-up is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Look-ups at the same time, those included that nobody waits for any more: each has a thread.
const AT_ONCE: usize = 16;

/// Answers that are remembered.
const MOST: usize = 512;

/// Addresses of one name that are looked at.
const MOST_ADDRESSES: usize = 32;

/// Names and what they were found to mean.
pub(super) struct Names {
    resolver: Arc<dyn Resolver>,
    threads: Arc<Semaphore>,
    known: Mutex<HashMap<String, (Instant, Vec<IpAddr>)>>,
}

impl Names {
    pub(super) fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, threads: Arc::new(Semaphore::new(AT_ONCE)), known: Mutex::default() }
    }

    /// The addresses of a name, at least one.
    ///
    /// # Errors
    /// The resolver's; `NotFound` for a name without an address; `TimedOut`.
    pub(super) async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        let found = timeout(PATIENCE, self.ask(name.to_owned())).await.map_err(|_| io::ErrorKind::TimedOut)??;
        if found.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(name.to_owned(), (Instant::now(), found.clone()));
        Ok(found)
    }

    async fn ask(&self, name: String) -> io::Result<Vec<IpAddr>> {
        let thread = self.threads.clone().acquire_owned().await.map_err(io::Error::other)?;
        let resolver = self.resolver.clone();
        let asked = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            resolver.addresses(&name)
        });
        let mut found = asked.await.map_err(io::Error::other)??;
        found.truncate(MOST_ADDRESSES);
        Ok(found)
    }

    fn known(&self, name: &str) -> Option<Vec<IpAddr>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, found) = known.get(name)?;
        (since.elapsed() < FRESH).then(|| found.clone())
    }
}
