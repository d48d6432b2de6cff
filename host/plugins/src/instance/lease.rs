//! The use of one instance for one call.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;
use wasmtime::Store;

use super::pool::{Instance, Pool};
use super::state::State;
use super::turns::Progress;
use super::waits::Waits;
use crate::bindings;
use crate::exchange::Call;

/// An instance and its slot, for one call. Only a call that ended with `finish` gives the instance back: after a
/// trap or a call that was dropped half-way a component can't be entered again.
pub struct Lease {
    instance: Option<Instance>,
    pool: Arc<Pool>,
    _slot: OwnedSemaphorePermit,
}

impl std::fmt::Debug for Lease {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Lease").field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl Lease {
    pub(super) fn new(instance: Instance, pool: Arc<Pool>, slot: OwnedSemaphorePermit) -> Self {
        Self { instance: Some(instance), pool, _slot: slot }
    }

    /// Begin a call: its context goes into the store and its budget is full.
    pub(crate) fn enter(&mut self, call: Call) -> Option<(&mut Store<State>, &bindings::Plugin)> {
        let instance = self.instance.as_mut()?;
        instance.calls = instance.calls.saturating_add(1);
        instance.store.set_epoch_deadline(1);
        let state = instance.store.data_mut();
        state.waits.reset();
        state.progress.begin();
        state.limiter.refused = false;
        state.call = Some(call);
        Some((&mut instance.store, &instance.exports))
    }

    /// Whether the component asked for more memory than it may have.
    pub(crate) fn was_refused_memory(&self) -> bool {
        self.instance.as_ref().is_some_and(|instance| instance.store.data().limiter.refused)
    }

    /// The time that the call waits in the host.
    pub(crate) fn waits(&self) -> Arc<Waits> {
        self.instance.as_ref().map(|instance| instance.store.data().waits.clone()).unwrap_or_default()
    }

    /// Whether the call has computed for long.
    pub(crate) fn progress(&self) -> Progress {
        self.instance.as_ref().map(|instance| instance.store.data().progress.clone()).unwrap_or_default()
    }

    /// End a call that came back from the component.
    pub(crate) fn finish(mut self) {
        if let Some(mut instance) = self.instance.take() {
            instance.store.data_mut().call = None;
            self.pool.put_back(instance);
        }
    }
}
