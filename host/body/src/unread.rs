//! A request body that nobody has read yet.
//!
//! An [`UnreadBody`] owns the connection's receiving side until the body has arrived or the value is dropped. Nothing
//! is read, and so no `100 Continue` sent, before somebody asks for the first chunk. It ends by being read to the end,
//! by an error (then the rest of the body is gone), or by being dropped; then the connection disposes of what is left.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body::Body;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use thiserror::Error;
use tokio::time::timeout;

/// How long a body may bring no byte, unless configured (contract: pipeline §2).
pub const IDLE: Duration = Duration::from_secs(30);

/// What the HTTP library says when a body breaks.
pub type Cause = Box<dyn Error + Send + Sync>;

/// Why the rest of a body won't come.
#[derive(Debug, Error)]
pub enum BodyError {
    /// No byte came for the whole idle time, or the connection says that it timed out.
    #[error("no byte of the body for {} s", idle.as_secs_f64())]
    TooSlow {
        /// The idle time.
        idle: Duration,
    },
    /// The client ended the body early.
    #[error("body ended after {got} of {expected} bytes")]
    Incomplete {
        /// Declared bytes.
        expected: u64,
        /// Bytes that came.
        got: u64,
    },
    /// The connection broke.
    #[error("body broke off: {0}")]
    Broken(#[source] Cause),
}

/// A body of known length that nobody has read yet.
pub struct UnreadBody {
    /// None: it has ended, well or badly.
    body: Option<UnsyncBoxBody<Bytes, Cause>>,
    size: u64,
    got: u64,
    idle: Duration,
}

impl UnreadBody {
    /// A body of `size` declared bytes. `idle` is the longest time without a byte once somebody reads.
    pub fn new<B>(body: B, size: u64, idle: Duration) -> Self
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Cause>,
    {
        let body = (size > 0).then(|| body.map_err(Into::into).boxed_unsync());
        Self { body, size, got: 0, idle }
    }

    /// A body of no bytes.
    pub fn empty() -> Self {
        Self { body: None, size: 0, got: 0, idle: IDLE }
    }

    /// Declared number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The next bytes as they arrive; None once all the declared bytes came. Never more than those. Safe to cancel.
    ///
    /// After an error every further call fails with [`BodyError::Incomplete`].
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, BodyError> {
        let due = self.size.saturating_sub(self.got);
        if due == 0 {
            self.body = None;
            return Ok(None);
        }
        let incomplete = BodyError::Incomplete { expected: self.size, got: self.got };
        let Some(body) = &mut self.body else { return Err(incomplete) };
        let result = match timeout(self.idle, next_data(body)).await {
            Ok(Some(Ok(mut bytes))) => {
                bytes.truncate(usize::try_from(due).unwrap_or(usize::MAX));
                self.got = self.got.saturating_add(bytes.len() as u64);
                return Ok(Some(bytes));
            }
            Ok(None) => incomplete,
            Ok(Some(Err(cause))) => match kind(&*cause) {
                Some(io::ErrorKind::UnexpectedEof) => incomplete,
                Some(io::ErrorKind::TimedOut) => BodyError::TooSlow { idle: self.idle },
                _ => BodyError::Broken(cause),
            },
            Err(_) => BodyError::TooSlow { idle: self.idle },
        };
        self.body = None;
        Err(result)
    }
}

impl fmt::Debug for UnreadBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnreadBody").field("size", &self.size).field("got", &self.got).finish_non_exhaustive()
    }
}

/// The next frame that holds bytes.
async fn next_data(body: &mut UnsyncBoxBody<Bytes, Cause>) -> Option<Result<Bytes, Cause>> {
    loop {
        match body.frame().await? {
            Ok(frame) => match frame.into_data() {
                Ok(bytes) if !bytes.is_empty() => return Some(Ok(bytes)),
                _ => {}
            },
            Err(cause) => return Some(Err(cause)),
        }
    }
}

/// What the input that the HTTP library read from said, if that is what its error comes from.
fn kind(cause: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    std::iter::successors(Some(cause), |&cause| cause.source())
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)
}
