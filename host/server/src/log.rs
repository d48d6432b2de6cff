//! The log: lines on stderr, and audit lines also in a file if there is one.
//!
//! Writing never delays a request: lines go through bounded queues to writer threads; a line that finds its queue full is
//! dropped and counted. The [`Writers`] own the threads; dropping them writes what is queued and says how many were lost.

mod format;

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::audit;
use format::{AuditLine, Line};

/// Lines that may wait to be written.
const QUEUE: usize = 16_384;

/// The threads that write.
pub struct Writers {
    _guards: Vec<WorkerGuard>,
    dropped: Vec<ErrorCounter>,
}

impl Writers {
    /// Lines that were dropped because their queue was full.
    #[must_use]
    pub fn dropped_lines(&self) -> usize {
        self.dropped.iter().map(ErrorCounter::dropped_lines).sum()
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        let dropped = self.dropped_lines();
        if dropped > 0 {
            tracing::warn!(dropped, "lines of the log were dropped: stderr or the audit file was too slow");
        }
    }
}

/// Begin to log.
///
/// # Errors
/// The audit file can't be opened.
pub fn begin(level: LevelFilter, audit_file: Option<&Path>) -> io::Result<Writers> {
    let mut writers = Writers { _guards: Vec::new(), dropped: Vec::new() };
    let stderr = writers.add(io::stderr());
    let file = match audit_file {
        Some(path) => Some(writers.add(OpenOptions::new().create(true).append(true).open(path)?)),
        None => None,
    };
    let is_audit = |metadata: &tracing::Metadata<'_>| metadata.target() == audit::TARGET;
    let lines = tracing_subscriber::fmt::layer().event_format(Line).with_writer(stderr.clone());
    let lines = lines.with_filter(filter_fn(move |metadata| !is_audit(metadata) && *metadata.level() <= level));
    let on_stderr = tracing_subscriber::fmt::layer().event_format(AuditLine).with_writer(stderr);
    let in_file = file.map(|file| tracing_subscriber::fmt::layer().event_format(AuditLine).with_writer(file));
    tracing_subscriber::registry()
        .with(lines)
        .with(on_stderr.with_filter(filter_fn(is_audit)))
        .with(in_file.with_filter(filter_fn(is_audit)))
        .try_init()
        .map_err(io::Error::other)?;
    Ok(writers)
}

impl Writers {
    fn add(&mut self, target: impl io::Write + Send + 'static) -> NonBlocking {
        let (writer, guard) = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(QUEUE).finish(target);
        self._guards.push(guard);
        self.dropped.push(writer.error_counter());
        writer
    }
}
