//! One JSON object, checked as its bytes arrive, with one bulk member kept aside.
//!
//! The grammar is RFC 8259, strict, with the contract's additions (contract: pipeline §5, file_ops §1.3): a UTF-8 BOM
//! is taken at the start; the value is an object; integers have any length, while a number with a fraction or an
//! exponent must be finite as a 64-bit float; escapes must make whole characters. Containers are counted on a stack
//! of the scanner's own, so depth costs no recursion.
//!
//! The result's text is the same object without white space. Keys that repeat stay as they are: the last one wins
//! with whoever reads the text. Only the member kept aside is there at most once.

mod aside;
mod error;
mod grammar;
mod number;
mod string;
#[cfg(test)]
mod tests;

use aside::{Aside, KeyMatch};
pub use error::JsonError;
use number::Number;
use string::Inside;

use crate::spool::{Spool, SpoolConfig};

/// Levels of arrays and objects that are taken, the outermost object included.
pub const MAX_DEPTH: usize = 512;

/// Bytes of a key that an error names.
const LONGEST_KEY: usize = 100;

/// A JSON object.
#[derive(Debug)]
pub struct JsonObject {
    /// The object's text, valid JSON in UTF-8, without the member kept aside if that is a string.
    pub text: Vec<u8>,
    /// The value of the member kept aside, unescaped, if it is a string.
    pub aside: Option<Spool>,
}

/// Checks a JSON object as it arrives. Memory: the object's text without the member kept aside.
#[derive(Debug)]
pub struct Scanner {
    state: State,
    open: Vec<Container>,
    text: Vec<u8>,
    /// Bytes taken in earlier chunks.
    taken: u64,
    aside: Option<Aside>,
    /// Where in `text` the latest member of the outermost object starts, with the comma before it if there is one.
    member: usize,
    /// The key of the member kept aside, as it was written, until its value shows whether it belongs into the text.
    held: Option<Vec<u8>>,
    /// The latest member has the name looked for, and its value is not a string.
    in_other: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Object,
    Array,
}

#[derive(Debug)]
enum State {
    /// Nothing but white space yet.
    Start,
    /// In the byte order mark.
    Mark(&'static [u8]),
    /// Before a key. `first`: the object may end instead.
    Key { first: bool },
    /// Behind a key.
    Colon,
    /// Before a value. `first`: the array may end instead.
    Value { first: bool },
    /// Behind a value.
    After,
    /// In a string.
    String { inside: Inside, role: Role },
    /// In a number that starts there in the text.
    Number { number: Number, start: usize },
    /// In `true`, `false` or `null`.
    Word(&'static [u8]),
    /// Behind the object.
    Done,
    /// An error was found.
    Failed,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// A key of the outermost object that may be the name looked for, and where it starts in the text.
    Named {
        key: KeyMatch,
        start: usize,
    },
    Key,
    Value,
    Aside,
}

impl Scanner {
    /// A scanner that keeps the member `aside` of the outermost object aside, if its value is a string.
    pub fn new(aside: Option<&str>, spool: &SpoolConfig) -> Self {
        Self {
            state: State::Start,
            open: Vec::new(),
            text: Vec::new(),
            taken: 0,
            aside: aside.map(|name| Aside::new(name, spool.clone())),
            member: 0,
            held: None,
            in_other: false,
        }
    }

    /// Take the next bytes. Blocks only if the member kept aside outgrows [`SpoolConfig::memory`]. After an error the
    /// scanner is of no more use.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), JsonError> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let offset = self.taken.saturating_add((chunk.len() - rest.len()) as u64);
            match self.step(rest, offset) {
                Ok(used) => rest = rest.get(used..).unwrap_or_default(),
                Err(error) => {
                    let error = self.placed(error);
                    self.state = State::Failed;
                    return Err(error);
                }
            }
        }
        self.taken = self.taken.saturating_add(chunk.len() as u64);
        Ok(())
    }

    /// The error, with the member that it is in where it tells one.
    fn placed(&self, error: JsonError) -> JsonError {
        match (error, &self.state) {
            (JsonError::LoneSurrogate { offset, .. }, State::String { role: Role::Value | Role::Aside, .. }) => {
                JsonError::LoneSurrogate { offset, member: self.latest_key() }
            }
            (error, _) => error,
        }
    }

    /// The key of the latest member of the outermost object, unless it is very long.
    fn latest_key(&self) -> Option<String> {
        if let (State::String { role: Role::Aside, .. }, Some(aside)) = (&self.state, &self.aside) {
            return Some(aside.name.clone());
        }
        let member = self.text.get(self.member..)?;
        let key = member.strip_prefix(b",").unwrap_or(member).strip_prefix(b"\"")?;
        let end = key.iter().take(LONGEST_KEY).position(|byte| *byte == b'"')?;
        String::from_utf8(key.get(..end)?.to_vec()).ok()
    }

    /// The object, if it is complete.
    pub fn finish(self) -> Result<JsonObject, JsonError> {
        match self.state {
            State::Done => Ok(JsonObject { text: self.text, aside: self.aside.and_then(Aside::into_spool) }),
            _ => Err(JsonError::Incomplete),
        }
    }
}
