//! What commands print: lines of the server's log, and never part of an answer.
//!
//! Everything is read, so that no command waits for the log; lines are cut, and beyond so many in a second they are counted.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::{Instant, timeout};

/// Longest line, in bytes; the rest is the next one.
const LONGEST: usize = 4096;

/// Lines in one second.
const MOST: u32 = 200;

/// That second; after one without a line, what was left out is told.
const SECOND: Duration = Duration::from_secs(1);

/// Write what comes to the log; ends with the pipe.
pub(super) async fn log(pipe: Option<Receiver>) {
    let Some(mut pipe) = pipe else { return };
    let mut lines = Lines::default();
    let mut read = [0; LONGEST];
    loop {
        let bytes = pipe.read(&mut read);
        let length = match timeout(SECOND, bytes).await {
            Ok(Ok(length @ 1..)) => length,
            Ok(_) => break,
            Err(_) => {
                lines.tell(&mut print);
                continue;
            }
        };
        lines.push(read.get(..length).unwrap_or_default(), Instant::now(), print);
    }
    lines.finish(Instant::now(), print);
}

fn print(line: &str) {
    tracing::info!(from = "commands", "{line}");
}

/// Bytes on their way to lines.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    second: Option<Instant>,
    written: u32,
    left_out: u64,
}

impl Lines {
    fn push(&mut self, bytes: &[u8], now: Instant, mut print: impl FnMut(&str)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece.strip_suffix(b"\n").unwrap_or(piece));
            if piece.ends_with(b"\n") || self.line.len() >= LONGEST {
                self.end_line(now, &mut print);
            }
        }
    }

    fn finish(&mut self, now: Instant, mut print: impl FnMut(&str)) {
        if !self.line.is_empty() {
            self.end_line(now, &mut print);
        }
        self.tell(&mut print);
    }

    fn end_line(&mut self, now: Instant, print: &mut impl FnMut(&str)) {
        let line = std::mem::take(&mut self.line);
        if self.second.is_none_or(|second| now.duration_since(second) >= SECOND) {
            self.tell(print);
            (self.second, self.written) = (Some(now), 0);
        }
        if self.written >= MOST {
            self.left_out += 1;
            return;
        }
        self.written += 1;
        // Without what could look like a line of somebody else's, or move a terminal's cursor.
        let shown = |letter: char| match letter {
            '\t' => vec!['\t'],
            letter if letter.is_control() => letter.escape_default().collect(),
            letter => vec![letter],
        };
        print(&String::from_utf8_lossy(&line).trim_end_matches('\r').chars().flat_map(shown).collect::<String>());
    }

    fn tell(&mut self, print: &mut impl FnMut(&str)) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            print(&format!("({left_out} more lines were left out)"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{LONGEST, Lines, MOST};

    fn printed(pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut printed, now) = (Lines::default(), Vec::new(), Instant::now());
        for piece in pieces {
            lines.push(piece, now, |line| printed.push(line.to_owned()));
        }
        lines.finish(now, |line| printed.push(line.to_owned()));
        printed
    }

    #[test]
    fn lines_are_put_together_and_escaped() {
        assert_eq!(printed(&[b"a\nb", b"c\r\n\n", b"\x1b[1m\tx\xff"]), ["a", "bc", "", "\\u{1b}[1m\tx\u{fffd}"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let lengths: Vec<_> = printed(&[&[b'x'; LONGEST], b"yy\n"]).iter().map(String::len).collect();
        assert_eq!(lengths, [LONGEST, 2]);
    }

    #[test]
    fn a_flood_is_counted() {
        let (mut lines, mut printed, now) = (Lines::default(), Vec::new(), Instant::now());
        for _ in 0..MOST + 7 {
            lines.push(b"x\n", now, |line| printed.push(line.to_owned()));
        }
        assert_eq!(printed.len(), MOST as usize);
        lines.push(b"y\n", now + Duration::from_secs(1), |line| printed.push(line.to_owned()));
        assert_eq!(printed[MOST as usize..], ["(7 more lines were left out)", "y"]);
    }
}
