//! What all components together add to the memory of a server.

use serde_json::json;

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::servers::{Server, Subject, memory};

/// Each value is of two processes: one with every group and each called once, one with no component at all.
pub(super) fn measure(site: &Site<'_>) -> Result<Figure, FigureError> {
    let bed = site.starter.bed;
    let document = bed.document_with([(vec!["endpoints", "*", "enabled"], json!(false))]);
    let policy = bed.keep("none.json", document.to_string())?;
    let resident = |server: Server| -> Result<u64, FigureError> {
        server.call_each_group(bed)?;
        Ok(memory(server.pid())?.resident)
    };
    let mut values = Vec::new();
    for _ in 0..site.effort.rounds.div_ceil(2) {
        let with = resident(site.starter.start(Subject::Abxd)?)?;
        let without = resident(site.starter.start_abxd(&policy, &[])?)?;
        values.push(with.saturating_sub(without) as f64 / f64::from(1 << 20));
    }
    let title = "RSS added by all built-in components, each called once";
    Ok(Figure::new(Key::Other, title, Unit::Size, [(Subject::Abxd, values)]))
}
