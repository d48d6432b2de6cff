//! Processes into the interface's types.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use abxd_body::json_text::TextEncoder;
use abxd_capabilities::process::{self as machine, OutputStream};
use wasmtime::component::ResourceTable;

use crate::bindings::abx::host::failures::Failure;
use crate::bindings::abx::host::process as wit;
use crate::exchange::Source;

/// What a process costs a component's memory at least, in bytes.
pub(super) const CHILD: usize = 64;

pub(super) fn child(process: machine::Process) -> wit::Child {
    wit::Child {
        pid: process.pid,
        label: process.label.to_string(),
        started: nanoseconds(process.started_at),
        exit_code: process.exit.map(|exit| exit.code()),
        captured: process.is_captured,
        stdin: process.has_stdin,
    }
}

/// Since the epoch.
fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

pub(super) fn signal_failure(failure: machine::SignalFailure) -> Failure {
    match failure {
        machine::SignalFailure::Missing => Failure::Missing("no such process runs".to_owned()),
        machine::SignalFailure::Os(errno) => std::io::Error::from(errno).into(),
    }
}

pub(super) fn write_failure(failure: machine::WriteFailure) -> wit::WriteFailure {
    match failure {
        machine::WriteFailure::Missing => wit::WriteFailure::Missing,
        machine::WriteFailure::Closed | machine::WriteFailure::Broken(_) => wit::WriteFailure::Closed,
        machine::WriteFailure::Stalled(written) => wit::WriteFailure::Stalled(written),
    }
}

pub(super) fn page(page: machine::Page, table: &mut ResourceTable) -> wasmtime::Result<wit::Page> {
    Ok(wit::Page {
        events: table.push(Source::memory(list(&page.events).into()))?,
        next: page.next,
        exit_code: page.exit.map(|exit| exit.code()),
        dropped: page.dropped,
    })
}

/// A JSON array, with exactly the contract's keys (process §8).
fn list(events: &[machine::Event]) -> String {
    let text: usize = events.iter().map(|event| event.text.len() + 48).sum();
    let mut list = String::with_capacity(text + 2);
    list.push('[');
    for (place, event) in events.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let stream = match event.stream {
            OutputStream::Stdout => "stdout",
            OutputStream::Stderr => "stderr",
        };
        // Writing to a String can't fail.
        let _ = write!(list, "{comma}{{\"seq\":{},\"stream\":\"{stream}\",\"data\":\"", event.seq);
        TextEncoder::new().push(event.text.as_bytes(), &mut list);
        list.push_str("\"}");
    }
    list.push(']');
    list
}

#[cfg(test)]
mod tests {
    use abxd_capabilities::process::{Event, OutputStream};
    use serde_json::{Value, json};

    use super::list;

    #[test]
    fn events_have_exactly_the_contracts_keys() {
        let event = |seq, stream, text: &str| Event { seq, stream, text: text.into() };
        let events =
            [event(3, OutputStream::Stdout, "a\r\n\0\"\\\u{fffd}"), event(4, OutputStream::Stderr, "\u{1f923}")];
        let expected = json!([
            {"seq": 3, "stream": "stdout", "data": "a\r\n\0\"\\\u{fffd}"},
            {"seq": 4, "stream": "stderr", "data": "\u{1f923}"},
        ]);
        assert_eq!(serde_json::from_str::<Value>(&list(&events)).unwrap(), expected);
        assert_eq!(list(&[]), "[]");
    }
}
