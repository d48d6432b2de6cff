//! What each byte does to the scanner.

use std::mem;

use crate::json::aside::KeyMatch;
use crate::json::number::{self, Digit, Number};
use crate::json::string::{Inside, Step};
use crate::json::{Container, JsonError, MAX_DEPTH, Role, Scanner, State};

/// What follows the first byte of a UTF-8 byte order mark.
const MARK: &[u8] = b"\xBB\xBF";

impl Scanner {
    /// Take the start of `input`; how many bytes that was.
    pub(super) fn step(&mut self, input: &[u8], offset: u64) -> Result<usize, JsonError> {
        let Some(&byte) = input.first() else { return Ok(0) };
        match self.state {
            State::String { inside, role } => return self.string(input, offset, inside, role),
            State::Number { number, start } => return self.number(input, offset, number, start),
            State::Mark(rest) | State::Word(rest) => self.fixed(rest, byte, offset)?,
            _ if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') => {}
            State::Start => self.start(byte, offset)?,
            State::Key { first: true } if byte == b'}' => self.close(byte),
            State::Key { .. } if byte == b'"' => self.key(),
            State::Colon if byte == b':' => {
                if self.held.is_none() {
                    self.text.push(byte);
                }
                self.state = State::Value { first: false };
            }
            State::Value { first: true } if byte == b']' => self.close(byte),
            State::Value { .. } => self.value(byte, offset)?,
            State::After => self.after(byte, offset)?,
            State::Done => return Err(JsonError::Trailing { offset }),
            State::Key { .. } | State::Colon | State::Failed => return Err(JsonError::Unexpected { byte, offset }),
        }
        Ok(1)
    }

    fn start(&mut self, byte: u8, offset: u64) -> Result<(), JsonError> {
        match byte {
            b'{' => {
                self.text.push(byte);
                self.enter(Container::Object)
            }
            0xEF if offset == 0 => {
                self.state = State::Mark(MARK);
                Ok(())
            }
            b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => Err(JsonError::NotAnObject),
            _ => Err(JsonError::Unexpected { byte, offset }),
        }
    }

    /// The rest of a word or of the byte order mark.
    fn fixed(&mut self, rest: &'static [u8], byte: u8, offset: u64) -> Result<(), JsonError> {
        let Some((expected, rest)) = rest.split_first() else { return Ok(()) };
        if *expected != byte {
            return Err(JsonError::Unexpected { byte, offset });
        }
        let is_word = matches!(self.state, State::Word(_));
        if is_word {
            self.text.push(byte);
        }
        match (is_word, rest.is_empty()) {
            (true, true) => self.end_of_value(),
            (true, false) => self.state = State::Word(rest),
            (false, true) => self.state = State::Start,
            (false, false) => self.state = State::Mark(rest),
        }
        Ok(())
    }

    /// The opening quote of a key.
    fn key(&mut self) {
        let mut role = Role::Key;
        if self.open.len() == 1 {
            self.begin_member();
            if self.aside.is_some() {
                role = Role::Named { key: KeyMatch::START, start: self.text.len() };
            }
        }
        self.text.push(b'"');
        self.state = State::String { inside: Inside::START, role };
    }

    /// Start a member of the outermost object: its comma is written only now, for the member before may be left out.
    fn begin_member(&mut self) {
        self.member = self.text.len();
        if self.text.len() > 1 {
            self.text.push(b',');
        }
    }

    /// The first byte of a value.
    fn value(&mut self, byte: u8, offset: u64) -> Result<(), JsonError> {
        if let Some(key) = self.held.take() {
            if byte == b'"' {
                if let Some(aside) = &mut self.aside {
                    aside.begin();
                }
                self.state = State::String { inside: Inside::START, role: Role::Aside };
                return Ok(());
            }
            self.begin_member();
            self.text.extend_from_slice(&key);
            self.text.push(b':');
            self.in_other = true;
        }
        let start = self.text.len();
        self.text.push(byte);
        match byte {
            b'"' => self.state = State::String { inside: Inside::START, role: Role::Value },
            b'{' => self.enter(Container::Object)?,
            b'[' => self.enter(Container::Array)?,
            b't' => self.state = State::Word(b"rue"),
            b'f' => self.state = State::Word(b"alse"),
            b'n' => self.state = State::Word(b"ull"),
            _ => {
                let number = Number::start(byte).ok_or(JsonError::Unexpected { byte, offset })?;
                self.state = State::Number { number, start };
            }
        }
        Ok(())
    }

    fn enter(&mut self, container: Container) -> Result<(), JsonError> {
        if self.open.len() == MAX_DEPTH {
            return Err(JsonError::TooDeep { limit: MAX_DEPTH });
        }
        self.open.push(container);
        self.state = match container {
            Container::Object => State::Key { first: true },
            Container::Array => State::Value { first: true },
        };
        Ok(())
    }

    fn close(&mut self, byte: u8) {
        self.text.push(byte);
        self.open.pop();
        self.end_of_value();
    }

    fn end_of_value(&mut self) {
        if self.open.len() == 1 && mem::take(&mut self.in_other) {
            let member = self.member..self.text.len();
            if let Some(aside) = &mut self.aside {
                aside.other(member);
            }
        }
        self.state = if self.open.is_empty() { State::Done } else { State::After };
    }

    /// What separates or ends the values of a container.
    fn after(&mut self, byte: u8, offset: u64) -> Result<(), JsonError> {
        match (self.open.last(), byte) {
            (Some(Container::Object), b'}') | (Some(Container::Array), b']') => self.close(byte),
            (Some(Container::Object), b',') => {
                if self.open.len() > 1 {
                    self.text.push(byte);
                }
                self.state = State::Key { first: false };
            }
            (Some(Container::Array), b',') => {
                self.text.push(byte);
                self.state = State::Value { first: false };
            }
            _ => return Err(JsonError::Unexpected { byte, offset }),
        }
        Ok(())
    }

    fn number(&mut self, input: &[u8], offset: u64, number: Number, start: usize) -> Result<usize, JsonError> {
        let mut number = number;
        for (used, &byte) in input.iter().enumerate() {
            let offset = offset.saturating_add(used as u64);
            match number.step(byte) {
                Digit::Part(next) => {
                    number = next;
                    self.text.push(byte);
                }
                Digit::Bad => return Err(JsonError::Unexpected { byte, offset }),
                Digit::End => {
                    let text = self.text.get(start..).unwrap_or_default();
                    if number.is_float() && !number::is_finite(text) {
                        return Err(JsonError::NumberRange { offset });
                    }
                    self.end_of_value();
                    return Ok(used);
                }
            }
        }
        self.state = State::Number { number, start };
        Ok(input.len())
    }

    fn string(&mut self, input: &[u8], offset: u64, inside: Inside, role: Role) -> Result<usize, JsonError> {
        let (mut inside, mut role) = (inside, role);
        let mut rest = input;
        while !rest.is_empty() {
            let before = input.len() - rest.len();
            let step = inside.step(rest).map_err(|fault| (fault.cause)(offset + (before + fault.at) as u64))?;
            let used = if let Step::Run(length) = step { length } else { 1 };
            let (raw, behind) = rest.split_at_checked(used).unwrap_or((rest, &[]));
            rest = behind;
            let mut buffer = [0; 4];
            let meaning: &[u8] = match step {
                Step::Run(_) => raw,
                Step::Escaped(character) => character.encode_utf8(&mut buffer).as_bytes(),
                Step::Escape | Step::End => &[],
            };
            self.keep(raw, meaning, &mut role)?;
            if let Step::End = step {
                self.end_of_string(role)?;
                return Ok(input.len() - rest.len());
            }
        }
        self.state = State::String { inside, role };
        Ok(input.len())
    }

    /// Keep a piece of a string: `raw` as it stands in the text, `meaning` without escapes.
    fn keep(&mut self, raw: &[u8], meaning: &[u8], role: &mut Role) -> Result<(), JsonError> {
        match (role, &mut self.aside) {
            (Role::Aside, Some(aside)) => return aside.write(meaning),
            (Role::Named { key, .. }, Some(aside)) => key.take(&aside.name, meaning),
            _ => {}
        }
        self.text.extend_from_slice(raw);
        Ok(())
    }

    fn end_of_string(&mut self, role: Role) -> Result<(), JsonError> {
        match (role, &mut self.aside) {
            (Role::Named { key, start }, Some(aside)) if key.is(&aside.name) => {
                self.held = Some(self.text.split_off(start));
                self.text.truncate(self.member);
                aside.forget(&mut self.text);
                self.state = State::Colon;
            }
            (Role::Named { .. } | Role::Key, _) => self.state = State::Colon,
            (Role::Aside, Some(aside)) => {
                aside.end()?;
                self.state = State::After;
            }
            _ => self.end_of_value(),
        }
        Ok(())
    }
}
