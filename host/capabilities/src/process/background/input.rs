//! Writing to a process (`contract: process §7`).

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::unix::pipe::Sender;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use super::WriteFailure;
use crate::process::child::Child;

/// The pipe that a process reads from, until it is closed. Writers take turns, in the order they came.
#[derive(Debug)]
pub(super) struct Input {
    turn: Semaphore,
    pipe: Mutex<Option<Arc<Sender>>>,
}

impl Input {
    pub(super) fn new(pipe: Sender) -> Self {
        Self { turn: Semaphore::new(1), pipe: Mutex::new(Some(Arc::new(pipe))) }
    }

    fn pipe(&self) -> MutexGuard<'_, Option<Arc<Sender>>> {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no write has closed it.
    pub(super) fn is_open(&self) -> bool {
        self.pipe().is_some()
    }

    /// Writes everything, then closes if asked. Waits no longer than `patience` for the child to read anything. Number of
    /// bytes written.
    pub(super) async fn write(
        &self,
        child: &Child,
        data: &[u8],
        close: bool,
        patience: Duration,
    ) -> Result<u64, WriteFailure> {
        // The semaphore is never closed.
        let _turn = self.turn.acquire().await.map_err(|_| WriteFailure::Closed)?;
        let Some(pipe) = self.pipe().clone() else { return Err(WriteFailure::Closed) };
        let written = write_all(&pipe, child, data, patience).await?;
        if close {
            self.pipe().take();
        }
        Ok(written)
    }
}

async fn write_all(pipe: &Sender, child: &Child, data: &[u8], patience: Duration) -> Result<u64, WriteFailure> {
    let mut written = 0;
    while let Some(rest) = data.get(written..).filter(|rest| !rest.is_empty()) {
        let so_far = written as u64;
        if child.exit().is_some() {
            return Err(WriteFailure::Broken(so_far));
        }
        match pipe.try_write(rest) {
            Ok(length) => written += length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => tokio::select! {
                // An error shows in the next write.
                _ = pipe.writable() => {}
                _ = child.wait() => return Err(WriteFailure::Broken(so_far)),
                () = sleep(patience) => return Err(WriteFailure::Stalled(so_far)),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(WriteFailure::Broken(so_far)),
        }
    }
    Ok(written as u64)
}
