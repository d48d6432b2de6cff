//! The inside of a JSON string, across chunk borders: plain runs, UTF-8, escapes.

use std::str;

use crate::clean::clean_start;
use crate::json::JsonError;

/// Where in a string the scanner is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    at: At,
    /// The first half of a surrogate pair, if the second has to follow.
    high: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
enum At {
    /// Between characters.
    Plain,
    /// In a character of several bytes: how many follow, and the range of the next one.
    Character { left: u8, low: u8, high: u8 },
    /// Behind a backslash.
    Backslash,
    /// In `\uXXXX`: how many digits follow, and the value so far.
    Hex { left: u8, value: u16 },
}

/// What the scanner found at the start of its input, and how long that is.
pub(super) enum Step {
    /// So many bytes that stand for themselves. They may end inside a character. Never 0 if there is input.
    Run(usize),
    /// One byte, of an escape that goes on.
    Escape,
    /// One byte, the last of an escape that means this character.
    Escaped(char),
    /// One byte, the closing quote.
    End,
}

/// What is wrong with the string, `at` bytes into the input.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) cause: fn(u64) -> JsonError,
}

impl Inside {
    /// Behind the opening quote.
    pub(super) const START: Self = Self { at: At::Plain, high: None };

    /// Look at the start of `input`, which is not empty.
    pub(super) fn step(&mut self, input: &[u8]) -> Result<Step, Fault> {
        let Some(&byte) = input.first() else { return Ok(Step::Run(0)) };
        if self.high.is_some() && matches!(self.at, At::Plain) && byte != b'\\' {
            return Err(lone_surrogate());
        }
        match (self.at, byte) {
            (At::Plain, b'"') => Ok(Step::End),
            (At::Plain, b'\\') => {
                self.at = At::Backslash;
                Ok(Step::Escape)
            }
            (At::Plain | At::Character { .. }, _) => self.run(input).map(Step::Run),
            (At::Backslash, b'u') => {
                self.at = At::Hex { left: 4, value: 0 };
                Ok(Step::Escape)
            }
            (At::Backslash, _) if self.high.is_some() => Err(lone_surrogate()),
            (At::Backslash, _) => {
                let character = simple_escape(byte).ok_or(bad_escape())?;
                self.at = At::Plain;
                Ok(Step::Escaped(character))
            }
            (At::Hex { left, value }, _) => self.hex(left, value, byte),
        }
    }

    fn hex(&mut self, left: u8, value: u16, byte: u8) -> Result<Step, Fault> {
        let digit = char::from(byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok()).ok_or(bad_escape())?;
        let value = value << 4 | digit;
        if left > 1 {
            self.at = At::Hex { left: left - 1, value };
            return Ok(Step::Escape);
        }
        self.at = At::Plain;
        match (self.high.take(), value) {
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(value);
                Ok(Step::Escape)
            }
            (None, _) => char::from_u32(u32::from(value)).map(Step::Escaped).ok_or(lone_surrogate()),
            (Some(high), _) => {
                char::decode_utf16([high, value]).next().and_then(Result::ok).map(Step::Escaped).ok_or(lone_surrogate())
            }
        }
    }

    /// The length of the longest start of `input` that holds neither a quote nor a backslash.
    fn run(&mut self, input: &[u8]) -> Result<usize, Fault> {
        let mut rest = input;
        loop {
            if let At::Plain = self.at {
                let clean = rest.get(..clean_start(rest, is_special)).unwrap_or_default();
                let valid = str::from_utf8(clean).map_or_else(|error| error.valid_up_to(), str::len);
                rest = rest.get(valid..).unwrap_or_default();
            }
            let at = input.len() - rest.len();
            let Some((&byte, tail)) = rest.split_first() else { return Ok(at) };
            match self.at {
                At::Character { left, low, high } if (low..=high).contains(&byte) => {
                    self.at = match left {
                        1 => At::Plain,
                        _ => At::Character { left: left - 1, low: 0x80, high: 0xBF },
                    };
                }
                At::Plain => match byte {
                    b'"' | b'\\' => return Ok(at),
                    0..0x20 => return Err(Fault { at, cause: |offset| JsonError::Control { offset } }),
                    _ => self.at = lead(byte).ok_or(bad_utf8(at))?,
                },
                _ => return Err(bad_utf8(at)),
            }
            rest = tail;
        }
    }
}

/// What may follow the first byte of a character of several bytes (Unicode 16, table 3-7).
fn lead(byte: u8) -> Option<At> {
    let (left, low, high) = match byte {
        0xC2..=0xDF => (1, 0x80, 0xBF),
        0xE0 => (2, 0xA0, 0xBF),
        0xED => (2, 0x80, 0x9F),
        0xE1..=0xEF => (2, 0x80, 0xBF),
        0xF0 => (3, 0x90, 0xBF),
        0xF1..=0xF3 => (3, 0x80, 0xBF),
        0xF4 => (3, 0x80, 0x8F),
        _ => return None,
    };
    Some(At::Character { left, low, high })
}

fn simple_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// What does not stand for itself in a string.
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn lone_surrogate() -> Fault {
    Fault { at: 0, cause: |offset| JsonError::LoneSurrogate { offset, member: None } }
}

fn bad_escape() -> Fault {
    Fault { at: 0, cause: |offset| JsonError::Escape { offset } }
}

fn bad_utf8(at: usize) -> Fault {
    Fault { at, cause: |offset| JsonError::Utf8 { offset } }
}
