//! One loaded group.

mod record;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::Trap;
use wasmtime::component::Component;

use crate::Runtime;
use crate::component::{self, Grant, LoadError};
use crate::exchange::{Call, Outcome, Request};
use crate::instance::{Lease, Pool, PoolError, Settings, within};
use record::Record;
pub use record::State;

/// A component that serves the endpoints of one group.
#[derive(Debug)]
pub struct Plugin {
    group: Arc<str>,
    pool: Arc<Pool>,
    record: Record,
}

/// Why a plugin gave no answer (contract: pipeline §7, the last row).
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// There is no instance to serve the call.
    #[error(transparent)]
    Unavailable(#[from] PoolError),
    /// It broke down again and again at this endpoint, or starting, and is left alone for a while.
    #[error("the plugin broke down repeatedly; it is tried again in {} s", again.as_secs() + 1)]
    BackingOff {
        /// Time until then.
        again: Duration,
    },
    /// It computed for longer than it may, or took too long.
    #[error("the plugin used up its time")]
    OutOfTime,
    /// It asked for more memory than it may have, and ended.
    #[error("the plugin used up its memory")]
    OutOfMemory,
    /// It broke down. The cause is for the log only.
    #[error("the plugin broke down")]
    Failed(#[source] wasmtime::Error),
}

impl Plugin {
    /// Link a compiled component to what its grant lists. No instance is started yet. `path` is what errors call it.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn link(
        runtime: &Runtime,
        component: &Component,
        path: &Path,
        group: Arc<str>,
        grant: &Grant,
        settings: Settings,
    ) -> Result<Self, LoadError> {
        let pool = component::link(runtime, component, path, &group, grant, settings)?;
        Ok(Self { group, pool, record: Record::default() })
    }

    /// Whether it serves, as an operator should see it.
    #[must_use]
    pub fn state(&self) -> State {
        self.record.state(Instant::now())
    }

    /// The group that it serves.
    #[must_use]
    pub fn group(&self) -> &Arc<str> {
        &self.group
    }

    /// Serve one call. Dropping the future ends the call where it waits.
    ///
    /// # Errors
    /// See [`PluginError`]; the instance is gone then, the plugin is not.
    pub async fn handle(&self, call: Call, request: Request) -> Result<Outcome, PluginError> {
        let endpoint = call.endpoint.id.clone();
        self.handle_as(&endpoint, call, request).await
    }

    /// The same for an operation that is not the endpoint's own, but works under its rule.
    ///
    /// # Errors
    /// As [`Plugin::handle`].
    pub async fn handle_as(&self, operation: &Arc<str>, call: Call, request: Request) -> Result<Outcome, PluginError> {
        self.record.may_try(operation, Instant::now())?;
        let outcome = self.serve(operation, call, request).await;
        match &outcome {
            Ok(_) => self.record.served(operation),
            // That there is no room is no failure of the component's.
            Err(
                PluginError::Unavailable(PoolError::Busy { .. } | PoolError::Full) | PluginError::BackingOff { .. },
            ) => {}
            Err(PluginError::Unavailable(_)) => self.record.failed_to_start(Instant::now()),
            Err(_) => self.record.failed(operation, Instant::now()),
        }
        outcome
    }

    async fn serve(&self, operation: &str, call: Call, request: Request) -> Result<Outcome, PluginError> {
        let mut lease = self.pool.lease().await?;
        let wall = self.pool.settings().wall;
        let (waits, progress) = (lease.waits(), lease.progress());
        let call = self.pool.turns().during(&progress, enter(&mut lease, operation, call, request));
        let answered = within(wall, &waits, call).await;
        match answered {
            None => Err(PluginError::OutOfTime),
            Some(Ok(outcome)) => {
                lease.finish();
                Ok(outcome)
            }
            Some(Err(cause)) if matches!(cause.downcast_ref(), Some(Trap::Interrupt)) => Err(PluginError::OutOfTime),
            Some(Err(_)) if lease.was_refused_memory() => Err(PluginError::OutOfMemory),
            Some(Err(cause)) => Err(PluginError::Failed(cause)),
        }
    }
}

async fn enter(lease: &mut Lease, operation: &str, call: Call, request: Request) -> wasmtime::Result<Outcome> {
    let Some((store, exports)) = lease.enter(call) else {
        return Err(wasmtime::Error::msg("the lease has ended"));
    };
    let request = request.lower(&mut store.data_mut().table)?;
    let answered = exports.abx_plugin_handler().call_handle(&mut *store, operation, &request).await?;
    crate::exchange::lift(answered, &mut store.data_mut().table)
}
