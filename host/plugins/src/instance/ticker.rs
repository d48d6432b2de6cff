//! The clock of CPU budgets.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// Time between two epochs. A component that computes is charged one unit of its budget for each.
const TICK: Duration = Duration::from_millis(10);

/// An OS thread that advances the engine's epoch every 10 ms. A task of the async runtime would not do: the
/// component it should stop could keep it from running. Ends when it is dropped, or with the engine.
#[derive(Debug)]
pub struct Ticker {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Start the thread.
    ///
    /// # Errors
    /// The system's, when it has no thread to give.
    pub fn start(engine: &Engine) -> std::io::Result<Self> {
        let (stop, stopped) = sync_channel(0);
        let engine = engine.weak();
        let thread = std::thread::Builder::new().name("epoch".to_owned()).spawn(move || tick(&engine, &stopped))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // It can't panic, and there is nobody left to tell if it did.
            let _ = thread.join();
        }
    }
}

fn tick(engine: &EngineWeak, stopped: &Receiver<()>) {
    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(TICK) {
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}
