//! One line of the audit log.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::Record;

/// Longest path in a line, in characters.
const LONGEST_PATH: usize = 512;

#[derive(Serialize)]
struct Line<'a> {
    ts: f64,
    identity: Option<&'a str>,
    endpoint: &'a str,
    method: &'a str,
    decision: &'static str,
    status: u16,
    code: Option<&'a str>,
    paths: Vec<String>,
}

/// One compact JSON object.
pub(super) fn render(record: &Record, denied: bool) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let paths = record.trail.as_ref().map(abxd_plugins::Trail::paths).unwrap_or_default();
    let line = Line {
        ts: (now.as_secs_f64() * 1000.0).round() / 1000.0,
        identity: record.identity.as_deref().map(|identity| &**identity.id()),
        endpoint: &record.endpoint,
        method: &record.method,
        decision: if denied { "deny" } else { "allow" },
        status: record.status,
        code: record.code.as_deref().or(denied.then_some("error")),
        paths: paths.iter().map(|path| path.to_string_lossy().chars().take(LONGEST_PATH).collect()).collect(),
    };
    serde_json::to_string(&line).unwrap_or_default()
}
