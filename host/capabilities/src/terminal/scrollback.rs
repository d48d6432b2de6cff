//! What a terminal has put out: the newest bytes, by their place in the whole of it. No I/O, no locks.
//!
//! It is the queue of every attached client too: a client is a place in it. So a client costs a number, and the memory of
//! a terminal is the same with none of them and with many.

use std::collections::VecDeque;

/// Bytes that a client which attaches is shown (contract: terminal, session model).
pub(super) const SHOWN: usize = 1 << 20;

/// Bytes that are kept beyond, for clients that were shown all and are behind by as much: one read of the terminal.
pub(super) const SPARE: usize = 64 << 10;

/// Room is taken in steps, so that a quiet terminal costs little and a busy one never twice of what it needs.
const STEP: usize = 64 << 10;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Scrollback {
    bytes: VecDeque<u8>,
    /// Place of the first byte that is kept.
    start: u64,
}

impl Scrollback {
    /// Appends a piece, not longer than [`SPARE`]; the oldest bytes go where there is no room.
    pub(super) fn push(&mut self, piece: &[u8]) {
        let over = (self.bytes.len() + piece.len()).saturating_sub(SHOWN + SPARE).min(self.bytes.len());
        self.bytes.drain(..over);
        self.start += over as u64;
        if self.bytes.capacity() - self.bytes.len() < piece.len() {
            self.bytes.reserve_exact(piece.len().next_multiple_of(STEP).min(SHOWN + SPARE - self.bytes.len()));
        }
        self.bytes.extend(piece);
    }

    /// Place behind the last byte.
    pub(super) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Where a client begins that is to be shown what there is: with a whole character, unless the terminal itself began
    /// with less.
    pub(super) fn first(&self) -> u64 {
        let place = self.start.max(self.end().saturating_sub(SHOWN as u64));
        if place == 0 {
            return 0;
        }
        let inside = self.from(place).take(3).take_while(|byte| is_inside_character(**byte)).count();
        place + inside as u64
    }

    /// At most `most` bytes from `place` on.
    pub(super) fn read(&self, place: u64, most: usize) -> Vec<u8> {
        let (older, newer) = self.bytes.as_slices();
        let skipped = self.index(place);
        let older = older.get(skipped..).unwrap_or_default();
        let newer = newer.get(skipped.saturating_sub(self.bytes.as_slices().0.len())..).unwrap_or_default();
        let mut bytes = Vec::with_capacity(most.min(older.len() + newer.len()));
        for part in [older, newer] {
            let room = most - bytes.len();
            bytes.extend_from_slice(part.get(..room).unwrap_or(part));
        }
        bytes
    }

    fn from(&self, place: u64) -> impl Iterator<Item = &u8> {
        self.bytes.iter().skip(self.index(place))
    }

    fn index(&self, place: u64) -> usize {
        usize::try_from(place.saturating_sub(self.start)).unwrap_or(usize::MAX).min(self.bytes.len())
    }
}

/// Whether a byte continues a character of UTF-8.
fn is_inside_character(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, SPARE, STEP, Scrollback};

    fn of(pieces: &[&[u8]]) -> Scrollback {
        let mut scrollback = Scrollback::default();
        pieces.iter().for_each(|piece| scrollback.push(piece));
        scrollback
    }

    /// Everything from a place on, in pieces of a size.
    fn all(scrollback: &Scrollback, mut place: u64, size: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let piece = scrollback.read(place, size);
            if piece.is_empty() {
                return bytes;
            }
            assert!(piece.len() <= size);
            place += piece.len() as u64;
            bytes.extend(piece);
        }
    }

    #[test]
    fn everything_is_there_from_the_first_byte() {
        let scrollback = of(&[b"ab", b"", b"cd"]);
        assert_eq!((scrollback.first(), scrollback.end()), (0, 4));
        assert_eq!(all(&scrollback, 0, 3), b"abcd");
        assert_eq!(all(&scrollback, 3, 100), b"d");
        assert_eq!(all(&scrollback, 4, 100), b"");
    }

    #[test]
    fn the_newest_bytes_stay() {
        let mut scrollback = Scrollback::default();
        let whole: Vec<u8> = (0..5_u64 << 20).map(|at| (at % 127) as u8).collect();
        for piece in whole.chunks(4095) {
            scrollback.push(piece);
            assert!(scrollback.bytes.capacity() <= SHOWN + SPARE + STEP);
        }
        assert_eq!(scrollback.end(), whole.len() as u64);
        assert_eq!(scrollback.first(), (whole.len() - SHOWN) as u64);
        for size in [1000, 65_536, SHOWN] {
            assert!(all(&scrollback, scrollback.first(), size) == whole[whole.len() - SHOWN..]);
        }
        // A client that is behind by what is shown can wait while one more read comes in.
        let behind = scrollback.first();
        scrollback.push(&whole[..SPARE]);
        assert!(scrollback.read(behind, SHOWN) == whole[whole.len() - SHOWN..]);
    }

    #[test]
    fn what_is_shown_begins_with_a_whole_character() {
        for (cut, skipped) in [(0, 0), (1, 2), (2, 1), (3, 0)] {
            let mut scrollback = of(&[&vec![b'x'; SPARE], "€".as_bytes()]);
            for piece in vec![b'y'; SHOWN - 3 + cut].chunks(SPARE) {
                scrollback.push(piece);
            }
            let place = scrollback.first();
            assert_eq!(place, scrollback.end() - SHOWN as u64 + skipped, "{cut}");
        }
        // Of what is no text at all not everything is skipped.
        let mut scrollback = Scrollback::default();
        for piece in vec![0x80; SHOWN + 10].chunks(SPARE) {
            scrollback.push(piece);
        }
        assert_eq!(scrollback.first(), 13);
        // What the terminal itself began with stays.
        assert_eq!(of(&[b"\x80\x80a"]).first(), 0);
    }

    #[test]
    fn a_quiet_terminal_costs_little() {
        assert!(of(&[b"$ "]).bytes.capacity() <= STEP);
    }
}
