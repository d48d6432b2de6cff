//! What a component writes to stdout and stderr: lines in the operator's log.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};

use super::quota::LineQuota;

/// Longest line that is kept, in bytes; the rest of a longer one is a line of its own.
const LONGEST: usize = 1024;

/// An output stream of one component.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    group: Arc<str>,
    quota: Arc<LineQuota>,
}

impl Output {
    pub(crate) fn new(group: Arc<str>, quota: Arc<LineQuota>) -> Self {
        Self { group, quota }
    }
}

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(Lines { group: self.group.clone(), quota: self.quota.clone(), line: Vec::new() })
    }
}

/// One open stream: collects bytes to lines. Owned by the instance; an unfinished line is logged when it ends.
struct Lines {
    group: Arc<str>,
    quota: Arc<LineQuota>,
    line: Vec<u8>,
}

impl Lines {
    fn put(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' || self.line.len() == LONGEST {
                self.end_line();
            }
            if byte != b'\n' {
                self.line.push(byte);
            }
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() && self.quota.lets_through(&self.group) {
            tracing::warn!(group = &*self.group, "{}", String::from_utf8_lossy(&self.line).escape_debug());
        }
        self.line.clear();
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.end_line();
    }
}

impl AsyncWrite for Lines {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.put(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
