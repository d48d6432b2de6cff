//! `budget` of a plugin: what its component may use in this deployment.

use super::at::At;
use super::error::DocumentError;
use super::limits::{seconds, size};

const KEYS: [&str; 7] =
    ["memory_bytes", "group_memory_bytes", "host_call_bytes", "slots", "cpu_seconds", "wall_seconds", "wait_seconds"];

/// What the document gives in place of what the plugin's manifest says. Every number is above 0; its bounds are for the
/// loader to judge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetSection {
    /// Linear memory of one instance, in bytes.
    pub memory_bytes: Option<u64>,
    /// Linear memory of all instances together, in bytes.
    pub group_memory_bytes: Option<u64>,
    /// Bytes that one call into the host, or one answer, may carry out of the component.
    pub host_call_bytes: Option<u64>,
    /// Requests at the same time.
    pub slots: Option<u64>,
    /// Computing time of one request, in seconds.
    pub cpu_seconds: Option<f64>,
    /// Time of one request without its waits in the host, in seconds.
    pub wall_seconds: Option<f64>,
    /// Time that a request waits for a slot, in seconds.
    pub wait_seconds: Option<f64>,
}

pub(super) fn budget(at: &At<'_>) -> Result<BudgetSection, DocumentError> {
    let mut budget = BudgetSection::default();
    for field in at.fields()? {
        let seconds = || seconds(&field.at).map(|seconds| Some(seconds.as_f64()));
        let size = || size(&field.at).map(Some);
        match field.name {
            "memory_bytes" => budget.memory_bytes = size()?,
            "group_memory_bytes" => budget.group_memory_bytes = size()?,
            "host_call_bytes" => budget.host_call_bytes = size()?,
            "slots" => budget.slots = Some(field.at.count()?),
            "cpu_seconds" => budget.cpu_seconds = seconds()?,
            "wall_seconds" => budget.wall_seconds = seconds()?,
            "wait_seconds" => budget.wait_seconds = seconds()?,
            _ => return Err(at.unknown(&field, &KEYS)),
        }
    }
    Ok(budget)
}
