//! The instances of one component.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use wasmtime::{PoolConcurrencyLimitError, Store, UpdateDeadline};

use super::lease::Lease;
use super::limiter::Limiter;
use super::memory::GroupMemory;
use super::quota::LineQuota;
use super::turns::GroupTurns;
use super::{Settings, State, Turns};
use crate::bindings;

/// Why there was no instance for a call.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// Every slot stayed in use.
    #[error("all {slots} slots of the group stayed in use for {} s", waited.as_secs_f64())]
    Busy {
        /// Slots of the group.
        slots: usize,
        /// How long was waited.
        waited: Duration,
    },
    /// The host has no room for another instance.
    #[error("there is no room for another instance")]
    Full,
    /// The component did not start. The cause is for the log only.
    #[error("the component did not start")]
    Start(#[source] wasmtime::Error),
    /// Starting took too long.
    #[error("the component did not start within {} s", most.as_secs_f64())]
    Slow {
        /// Longest time.
        most: Duration,
    },
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
    memory: Arc<GroupMemory>,
    turns: GroupTurns,
    lines: Arc<LineQuota>,
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
    pub(crate) fn new(
        component: bindings::PluginPre<State>,
        group: Arc<str>,
        turns: &Turns,
        settings: Settings,
    ) -> Arc<Self> {
        Arc::new(Self {
            component,
            group,
            slots: Arc::new(Semaphore::new(settings.slots)),
            memory: Arc::new(GroupMemory::new(settings.most_group_memory)),
            turns: turns.of_a_group(),
            lines: Arc::default(),
            idle: Mutex::new(Vec::new()),
            settings,
        })
    }

    pub(crate) fn turns(&self) -> &GroupTurns {
        &self.turns
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// An instance for one call: an idle one, else a new one.
    ///
    /// # Errors
    /// [`PoolError::Busy`] when no slot becomes free in time, the others when a new instance does not start.
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
            None => self.start().await?,
        };
        Ok(Lease::new(instance, self.clone(), slot))
    }

    /// A new instance. What runs of a component before its first call is bounded as a call is.
    async fn start(&self) -> Result<Instance, PoolError> {
        let most = self.settings.wall;
        let started = tokio::time::timeout(most, self.instantiate()).await.map_err(|_| PoolError::Slow { most })?;
        started.map_err(|cause| match cause.is::<PoolConcurrencyLimitError>() {
            true => PoolError::Full,
            false => PoolError::Start(cause),
        })
    }

    async fn instantiate(&self) -> wasmtime::Result<Instance> {
        let limiter = Limiter::new(self.settings.most_memory, self.memory.clone());
        let state = State::new(self.group.clone(), limiter, self.lines.clone());
        let progress = state.progress.clone();
        let mut store = Store::new(self.component.engine(), state);
        store.set_hostcall_fuel(self.settings.host_call_bytes);
        store.limiter(|state| &mut state.limiter);
        let budget = self.settings.cpu_ticks;
        // Counting, not a bare deadline: the time that a call waits in the host costs it one tick, computing costs one
        // for each.
        store.epoch_deadline_callback(move |mut store| {
            Ok(if store.data_mut().progress.tick() > budget {
                UpdateDeadline::Interrupt
            } else {
                UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now()))
            })
        });
        store.set_epoch_deadline(1);
        let exports = self.turns.during(&progress, self.component.instantiate_async(&mut store)).await?;
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
