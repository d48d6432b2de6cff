//! The member that is kept aside: telling its key, and where it goes.

use std::ops::Range;

use crate::json::JsonError;
use crate::spool::{Spool, SpoolConfig, SpoolWriter};

/// How much of a key has been equal to the name looked for. The key itself is not kept: it may be of any length.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyMatch(Option<usize>);

impl KeyMatch {
    /// Before the first byte of a key.
    pub(super) const START: Self = Self(Some(0));

    /// The next bytes of the key.
    pub(super) fn take(&mut self, name: &str, bytes: &[u8]) {
        self.0 = self.0.and_then(|seen| {
            let end = seen.checked_add(bytes.len())?;
            (name.as_bytes().get(seen..end)? == bytes).then_some(end)
        });
    }

    /// Whether the whole key was the name.
    pub(super) fn is(self, name: &str) -> bool {
        self.0 == Some(name.len())
    }
}

/// The member to keep aside and its latest value.
#[derive(Debug)]
pub(super) struct Aside {
    pub(super) name: String,
    config: SpoolConfig,
    value: Value,
}

#[derive(Debug)]
enum Value {
    None,
    /// A string that is arriving.
    Arriving(SpoolWriter),
    /// A string that has arrived.
    Text(Spool),
    /// Not a string: where the member stands in the object's text, with the comma before it if there is one.
    Other(Range<usize>),
}

impl Aside {
    pub(super) fn new(name: &str, config: SpoolConfig) -> Self {
        Self { name: name.to_owned(), config, value: Value::None }
    }

    /// Forget the value of an earlier member of the name: the last one wins. `text` is the object's text so far.
    ///
    /// What stands behind the forgotten member moves up. That costs no more than the arrival of those bytes did, so any
    /// number of repeats stays linear.
    pub(super) fn forget(&mut self, text: &mut Vec<u8>) {
        if let Value::Other(member) = std::mem::replace(&mut self.value, Value::None) {
            let was_first = member.start == 1;
            text.drain(member);
            if was_first && text.get(1) == Some(&b',') {
                text.remove(1);
            }
        }
    }

    pub(super) fn begin(&mut self) {
        self.value = Value::Arriving(SpoolWriter::new(self.config.clone()));
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), JsonError> {
        match &mut self.value {
            Value::Arriving(writer) => writer.write(bytes).map_err(JsonError::Spool),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&mut self) -> Result<(), JsonError> {
        self.value = match std::mem::replace(&mut self.value, Value::None) {
            Value::Arriving(writer) => Value::Text(writer.finish().map_err(JsonError::Spool)?),
            other => other,
        };
        Ok(())
    }

    pub(super) fn other(&mut self, member: Range<usize>) {
        self.value = Value::Other(member);
    }

    pub(super) fn into_spool(self) -> Option<Spool> {
        match self.value {
            Value::Text(spool) => Some(spool),
            _ => None,
        }
    }
}
