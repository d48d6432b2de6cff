//! The last words of a browser, for whoever wants to know why it did not start.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;

/// Bytes that are kept.
const MOST: usize = 4096;

/// What was written last.
#[derive(Debug, Clone, Default)]
pub(super) struct Complaints(Arc<Mutex<VecDeque<u8>>>);

impl Complaints {
    /// Reads to the end: a pipe that nobody reads would stop the browser.
    pub(super) async fn listen(self, mut pipe: Receiver) {
        let mut chunk = vec![0; MOST];
        while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(chunk.iter().take(count));
            let over = kept.len().saturating_sub(MOST);
            kept.drain(..over);
        }
    }

    /// The last line that says something.
    pub(super) fn last(&self) -> Option<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(kept.make_contiguous()).into_owned();
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    }
}
