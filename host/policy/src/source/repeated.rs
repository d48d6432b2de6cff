//! Refusing objects that have a key twice.

use std::collections::HashSet;

use super::{Node, SourceError, Value};

/// Looks through the whole tree, in document order.
pub(super) fn refuse(node: &Node) -> Result<(), SourceError> {
    match &node.value {
        Value::List(items) => items.iter().try_for_each(refuse),
        Value::Object(entries) => {
            let mut seen = HashSet::new();
            entries.iter().try_for_each(|entry| {
                if seen.insert(entry.key.as_str()) {
                    refuse(&entry.node)
                } else {
                    Err(SourceError::RepeatedKey { place: entry.key_place, key: entry.key.clone() })
                }
            })
        }
        _ => Ok(()),
    }
}
