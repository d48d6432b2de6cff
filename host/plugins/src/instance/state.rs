//! The store data of one instance.

use std::sync::Arc;

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::limiter::Limiter;
use super::output::Output;
use super::quota::LineQuota;
use super::turns::Progress;
use super::waits::Waits;
use crate::Machine;
use crate::exchange::Call;

/// At most this many resources of one instance are alive at once.
const MOST_RESOURCES: usize = 1024;

/// Random bytes of one call. The host makes them before the component's memory is asked.
const MOST_RANDOM: u64 = 1 << 20;

/// What an instance's imports work on.
pub(crate) struct State {
    /// Everything `wasi:*` is there and empty: no files, sockets, environment or arguments.
    wasi: WasiCtx,
    /// The resources that the component holds handles of. Empty between calls.
    pub(crate) table: ResourceTable,
    pub(crate) limiter: Limiter,
    pub(crate) group: Arc<str>,
    /// How much the group may write to the log.
    pub(crate) lines: Arc<LineQuota>,
    /// Epochs that found the component computing since the call began.
    pub(crate) progress: Progress,
    /// Time that the call has waited in the host.
    pub(crate) waits: Arc<Waits>,
    /// The call that is being served. The pipeline puts it here; a component can't reach it.
    pub(crate) call: Option<Call>,
}

/// An import was used outside a call, during instantiation.
#[derive(Debug, thiserror::Error)]
#[error("the host serves imports only during a call")]
pub(crate) struct OutsideCall;

/// A component is served by something that owns nothing of the machine.
#[derive(Debug, thiserror::Error)]
#[error("nothing of the machine is there for components")]
pub(crate) struct NoMachine;

impl State {
    pub(crate) fn new(group: Arc<str>, limiter: Limiter, lines: Arc<LineQuota>) -> Self {
        let output = Output::new(group.clone(), lines.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(MOST_RESOURCES);
        Self {
            wasi: WasiCtxBuilder::new().stdout(output.clone()).stderr(output).max_random_size(MOST_RANDOM).build(),
            table,
            limiter,
            group,
            lines,
            progress: Progress::default(),
            waits: Arc::default(),
            call: None,
        }
    }

    /// The call that is being served.
    pub(crate) fn call(&self) -> wasmtime::Result<&Call> {
        self.call.as_ref().ok_or_else(|| wasmtime::Error::new(OutsideCall))
    }

    /// What the server owns of the machine.
    pub(crate) fn machine(&self) -> wasmtime::Result<&Machine> {
        self.call()?.endpoint.machine.as_ref().ok_or_else(|| wasmtime::Error::new(NoMachine))
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
