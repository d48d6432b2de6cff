//! The instances of one component.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use wasmtime::{Store, UpdateDeadline};

use super::State;
use super::lease::Lease;
use crate::bindings;

/// How a component is run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Calls at the same time. Calls beyond wait for a slot.
    pub slots: usize,
    /// Idle instances that are kept.
    pub keep: usize,
    /// Longest wait for a slot.
    pub wait: Duration,
    /// Linear memory of one instance, in bytes.
    pub most_memory: usize,
    /// Memory from which an instance is not used again, in bytes.
    pub retire_above: usize,
    /// Calls after which an instance is not used again.
    pub retire_after: u32,
    /// Longest time of one call, without its waits in the host.
    pub wall: Duration,
    /// Bytes that one host call may carry out of the component.
    pub host_call_bytes: usize,
    /// CPU time of one call, in ticks of 10 ms.
    pub cpu_ticks: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            slots: 128,
            keep: 16,
            wait: Duration::from_secs(10),
            most_memory: 64 << 20,
            retire_above: 8 << 20,
            retire_after: 100_000,
            wall: Duration::from_secs(30),
            host_call_bytes: 32 << 20,
            cpu_ticks: 1000,
        }
    }
}

/// Why there was no instance for a call.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// Every slot stayed in use.
    #[error("all {slots} slots of the group stayed in use for {} s", waited.as_secs())]
    Busy {
        /// Slots of the group.
        slots: usize,
        /// How long was waited.
        waited: Duration,
    },
    /// The component did not start.
    #[error("the component did not start: {0}")]
    Start(wasmtime::Error),
}

/// An instance with its store.
pub(crate) struct Instance {
    pub(crate) store: Store<State>,
    pub(crate) exports: bindings::Plugin,
    /// Calls served so far.
    pub(crate) calls: u32,
}

/// The pool. Idle instances are interchangeable and may be thrown away at any time; nothing of a call stays in one.
pub struct Pool {
    component: bindings::PluginPre<State>,
    group: Arc<str>,
    settings: Settings,
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Instance>>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pool")
            .field("group", &self.group)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Pool {
    pub(crate) fn new(component: bindings::PluginPre<State>, group: Arc<str>, settings: Settings) -> Arc<Self> {
        let slots = Arc::new(Semaphore::new(settings.slots));
        Arc::new(Self { component, group, settings, slots, idle: Mutex::new(Vec::new()) })
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// An instance for one call: an idle one, else a new one.
    ///
    /// # Errors
    /// [`PoolError::Busy`] when no slot becomes free in time, [`PoolError::Start`] when a new instance does not start.
    pub async fn lease(self: &Arc<Self>) -> Result<Lease, PoolError> {
        let busy = || PoolError::Busy { slots: self.settings.slots, waited: self.settings.wait };
        let slot = match self.slots.clone().try_acquire_owned() {
            Ok(slot) => slot,
            Err(_) => tokio::time::timeout(self.settings.wait, self.slots.clone().acquire_owned())
                .await
                .map_err(|_| busy())?
                .map_err(|_| busy())?,
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let instance = match idle {
            Some(instance) => instance,
            None => self.start().await.map_err(PoolError::Start)?,
        };
        Ok(Lease::new(instance, self.clone(), slot))
    }

    async fn start(&self) -> wasmtime::Result<Instance> {
        let state = State::new(self.group.clone(), self.settings.most_memory);
        let mut store = Store::new(self.component.engine(), state);
        store.set_hostcall_fuel(self.settings.host_call_bytes);
        store.limiter(|state| &mut state.limiter);
        let budget = self.settings.cpu_ticks;
        // Counting, not a bare deadline: the time that a call waits in the host costs it one tick, computing costs one
        // for each.
        store.epoch_deadline_callback(move |mut store| {
            let state = store.data_mut();
            state.ticks += 1;
            Ok(if state.ticks > budget {
                UpdateDeadline::Interrupt
            } else {
                UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))
            })
        });
        store.set_epoch_deadline(1);
        let exports = self.component.instantiate_async(&mut store).await?;
        Ok(Instance { store, exports, calls: 0 })
    }

    /// Take an instance back after a call that ended well.
    pub(crate) fn put_back(&self, instance: Instance) {
        let state = instance.store.data();
        let worn = instance.calls >= self.settings.retire_after || state.limiter.bytes > self.settings.retire_above;
        if worn || !state.table.is_empty() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.settings.keep {
            idle.push(instance);
        }
    }
}
