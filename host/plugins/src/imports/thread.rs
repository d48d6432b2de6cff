//! Threads that may block.

/// Run on a thread that may block. The work goes on if the call is dropped meanwhile.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> wasmtime::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(wasmtime::Error::new)
}
