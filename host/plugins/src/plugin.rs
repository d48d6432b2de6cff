//! One loaded group.

use std::path::Path;
use std::sync::Arc;

use wasmtime::{Engine, Trap};

use crate::component::{self, Grant, LoadError};
use crate::exchange::{Call, Outcome, Request};
use crate::instance::{Lease, Pool, PoolError, Settings};

/// A component that serves the endpoints of one group.
#[derive(Debug)]
pub struct Plugin {
    group: Arc<str>,
    pool: Arc<Pool>,
}

/// Why a plugin gave no answer (contract: pipeline §7, the last row).
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// There is no instance to serve the call.
    #[error(transparent)]
    Unavailable(#[from] PoolError),
    /// It computed for longer than it may.
    #[error("the plugin used up its CPU time")]
    OutOfTime,
    /// It asked for more memory than it may have, and ended.
    #[error("the plugin used up its memory")]
    OutOfMemory,
    /// It broke down. The cause is for the log only.
    #[error("the plugin broke down")]
    Failed(#[source] wasmtime::Error),
}

impl Plugin {
    /// Load a component from compiled code. No instance is started yet.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub fn load(
        engine: &Engine,
        path: &Path,
        group: Arc<str>,
        grant: &Grant,
        settings: Settings,
    ) -> Result<Self, LoadError> {
        let pool = component::load(engine, path, &group, grant, settings)?;
        Ok(Self { group, pool })
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
        let mut lease = self.pool.lease().await?;
        let answered = enter(&mut lease, call, request).await;
        match answered {
            Ok(outcome) => {
                lease.finish();
                Ok(outcome)
            }
            Err(cause) if matches!(cause.downcast_ref(), Some(Trap::Interrupt)) => Err(PluginError::OutOfTime),
            Err(_) if lease.was_refused_memory() => Err(PluginError::OutOfMemory),
            Err(cause) => Err(PluginError::Failed(cause)),
        }
    }
}

async fn enter(lease: &mut Lease, call: Call, request: Request) -> wasmtime::Result<Outcome> {
    let operation = call.endpoint.id.clone();
    let Some((store, exports)) = lease.enter(call) else {
        return Err(wasmtime::Error::msg("the lease has ended"));
    };
    let request = request.lower(&mut store.data_mut().table)?;
    let answered = exports.abx_plugin_handler().call_handle(&mut *store, &operation, &request).await?;
    crate::exchange::lift(answered, &mut store.data_mut().table)
}
