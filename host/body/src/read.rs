//! Pumping a body into a reader of JSON or of a form.
//!
//! The readers are synchronous and may write to a file. A body that fits into memory is read where it is asked for; of
//! a larger one, batches go to a blocking thread, one at a time, so nothing blocks a runtime thread and no more than a
//! batch and a chunk wait. The reader moves along with its batch: if the caller gives up meanwhile, the thread ends its
//! batch and drops the reader, and with it everything that was kept.

#[cfg(test)]
mod tests;

use bytes::{Bytes, BytesMut};
use thiserror::Error;
use tokio::task::spawn_blocking;

use crate::form::{Form, FormError, FormReader};
use crate::json::{JsonError, JsonObject, Scanner};
use crate::spool::SpoolConfig;
use crate::unread::{BodyError, UnreadBody};

/// Bytes that are collected before they go to a blocking thread.
const BATCH: usize = 256 * 1024;

/// Why a body could not be read as what it should be. `E` is the reader's own error.
#[derive(Debug, Error)]
pub enum ReadError<E> {
    /// The bytes did not come.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The bytes are wrong.
    #[error("{0}")]
    Content(#[source] E),
    /// The runtime is shutting down.
    #[error("reading was interrupted")]
    Interrupted,
}

/// Read a body as one JSON object; the top-level member `aside`, if it is a string, is kept aside (contract: pipeline
/// §5, file_ops §1.3). A body of no bytes is an error here: that it means `{}` is up to the caller.
pub async fn read_json(
    body: UnreadBody,
    aside: Option<&str>,
    spool: &SpoolConfig,
) -> Result<JsonObject, ReadError<JsonError>> {
    pump(body, Scanner::new(aside, spool), spool.memory).await
}

/// Read a body as `multipart/form-data` (contract: file_ops §12.1, pipeline §5). `content_type` is the header's value. A
/// part is a file if it has a file name or its name is among `file_names`.
pub async fn read_form(
    body: UnreadBody,
    content_type: &str,
    file_names: &[String],
    spool: &SpoolConfig,
) -> Result<Form, ReadError<FormError>> {
    let reader = FormReader::new(content_type, file_names, spool).map_err(ReadError::Content)?;
    pump(body, reader, spool.memory).await
}

/// What takes the bytes of a body as they arrive.
pub(crate) trait Reader: Send + 'static {
    type Output: Send;
    type Error: Send;

    fn take(&mut self, chunk: Bytes) -> Result<(), Self::Error>;
    fn end(self) -> Result<Self::Output, Self::Error>;
}

impl Reader for Scanner {
    type Output = JsonObject;
    type Error = JsonError;

    fn take(&mut self, chunk: Bytes) -> Result<(), JsonError> {
        self.push(&chunk)
    }

    fn end(self) -> Result<JsonObject, JsonError> {
        self.finish()
    }
}

impl Reader for FormReader {
    type Output = Form;
    type Error = FormError;

    fn take(&mut self, chunk: Bytes) -> Result<(), FormError> {
        self.push(chunk)
    }

    fn end(self) -> Result<Form, FormError> {
        self.finish()
    }
}

async fn pump<R: Reader>(mut body: UnreadBody, mut reader: R, memory: usize) -> Result<R::Output, ReadError<R::Error>> {
    if body.size() <= memory as u64 {
        while let Some(chunk) = body.next_chunk().await? {
            reader.take(chunk).map_err(ReadError::Content)?;
        }
        return reader.end().map_err(ReadError::Content);
    }
    let mut batch = BytesMut::new();
    while let Some(chunk) = body.next_chunk().await? {
        batch.extend_from_slice(&chunk);
        if batch.len() >= BATCH {
            let full = batch.split().freeze();
            reader = blocking(move || reader.take(full).map(|()| reader)).await?;
        }
    }
    let rest = batch.freeze();
    blocking(move || {
        reader.take(rest)?;
        reader.end()
    })
    .await
}

async fn blocking<T: Send + 'static, E: Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, ReadError<E>> {
    spawn_blocking(work).await.map_err(|_| ReadError::Interrupted)?.map_err(ReadError::Content)
}
