//! How lines look.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{DefaultFields, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent};
use tracing_subscriber::registry::LookupSpan;

/// A line for people: time, level, message, fields.
pub(super) struct Line;

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        SystemTime.format_time(&mut writer)?;
        write!(writer, " {:5} ", event.metadata().level())?;
        DefaultFields::new().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

/// An audit line: the event's field `line` and nothing else.
pub(super) struct AuditLine;

impl<S, N> FormatEvent<S, N> for AuditLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        event.record(&mut Raw { writer: writer.by_ref(), result: Ok(()) });
        writeln!(writer)
    }
}

struct Raw<'a> {
    writer: Writer<'a>,
    result: fmt::Result,
}

impl Visit for Raw<'_> {
    fn record_str(&mut self, _: &Field, value: &str) {
        self.result = self.result.and_then(|()| self.writer.write_str(value));
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
