//! The text of a patch, judged file by file as it comes.
//!
//! Lines of content begin with a blank, a sign or a backslash, so no file can hold a line that begins a section. Of a
//! section only the lines above its content are kept until it is known whose it is. A name that can't be told is not
//! shown.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};

use super::names::{both, unquoted};
use super::numstat::Counts;
use super::shown::Shown;
use crate::process::Decoder;

/// Bytes of a line that are looked at at once.
const PIECE: u64 = 64 << 10;

/// Most lines above the content of a section.
const LONGEST_HEAD: u32 = 16;

/// Most names of unmerged files that are told.
const MOST_UNMERGED: usize = 1 << 16;

/// What may stand between the first line of a section and its content, before the names are settled.
const SETTLING: [&[u8]; 6] =
    [b"old mode ", b"new mode ", b"new file mode ", b"deleted file mode ", b"similarity ", b"dissimilarity "];

/// A patch as far as it is shown.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// UTF-8, whole characters.
    pub(super) text: String,
    /// Whether the text was cut.
    pub(super) truncated: bool,
    pub(super) counts: Counts,
    /// The files with conflicts: of these the lines say less than a count would.
    pub(super) unmerged: HashSet<Vec<u8>>,
    /// Whether the counts are not those that git makes itself.
    pub(super) is_miscounted: bool,
}

/// Reads a patch; at most `most` bytes of its text are kept.
pub(super) fn read(patch: impl BufRead, shown: &mut Shown, most: usize) -> io::Result<Reading> {
    let mut reader =
        Reader { shown, most, made: Reading::default(), state: State::Hidden, last: None, decoder: Decoder::default() };
    reader.all(patch)?;
    Ok(reader.made)
}

struct Reader<'s> {
    shown: &'s mut Shown,
    most: usize,
    made: Reading,
    state: State,
    /// The file of the section before.
    last: Option<Vec<u8>>,
    decoder: Decoder,
}

enum State {
    /// Above the content of a section.
    Head(Head),
    /// In a section that is shown, above its first hunk.
    Above,
    /// In its hunks.
    Hunks,
    /// In a section that is shown, and not counted.
    Uncounted,
    /// In a section that is not shown.
    Hidden,
}

#[derive(Default)]
struct Head {
    text: Vec<u8>,
    lines: u32,
    name: Option<Vec<u8>>,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Reader<'_> {
    fn all(&mut self, mut patch: impl BufRead) -> io::Result<()> {
        let (mut piece, mut is_start) = (Vec::new(), true);
        while (&mut patch).take(PIECE).read_until(b'\n', &mut piece)? > 0 {
            if is_start {
                self.line(&piece);
            } else {
                self.more(&piece);
            }
            is_start = piece.last() == Some(&b'\n');
            piece.clear();
        }
        self.settle();
        self.decoder.finish(|text| keep(&mut self.made, self.most, text));
        Ok(())
    }

    /// The beginning of a line, mostly all of it.
    fn line(&mut self, piece: &[u8]) {
        let line = piece.strip_suffix(b"\n").unwrap_or(piece);
        // The beginning of a longer line would be the beginning of a name.
        let is_whole = line.len() < piece.len() || (piece.len() as u64) < PIECE;
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            self.settle();
            let name = both(names).filter(|_| is_whole);
            self.state = State::Head(Head { text: piece.to_vec(), lines: 1, name, ..Head::default() });
        } else if let Some(name) = unmerged(line) {
            self.settle();
            self.begin_unmerged(unquoted(name).filter(|_| is_whole), piece);
        } else if let State::Head(head) = &mut self.state {
            if head.lines < LONGEST_HEAD && head.takes(line) {
                head.text.extend_from_slice(piece);
            } else {
                self.settle();
                self.line(piece);
            }
        } else {
            match (&self.state, line.first()) {
                (State::Above, Some(b'@')) => self.state = State::Hunks,
                (State::Hunks, Some(b'+')) => self.made.counts.insertions += 1,
                (State::Hunks, Some(b'-')) => self.made.counts.deletions += 1,
                _ => {}
            }
            self.more(piece);
        }
    }

    /// More of a line.
    fn more(&mut self, piece: &[u8]) {
        match &mut self.state {
            // No name is that long.
            State::Head(_) => self.state = State::Hidden,
            State::Above | State::Hunks | State::Uncounted => self.show(piece),
            State::Hidden => {}
        }
    }

    /// The head has ended: whose is the section?
    fn settle(&mut self) {
        let State::Head(head) = &mut self.state else { return };
        let head = std::mem::take(head);
        self.state = State::Hidden;
        // Nothing but the first line: the file was looked at, and found to be as it was.
        if head.lines < 2 {
            return;
        }
        let names = match (head.old, head.new, head.name) {
            (Some(old), Some(new), _) => [old, new],
            (None, None, Some(name)) => [name.clone(), name],
            _ => return,
        };
        if !names.iter().all(|name| self.shown.admits(name)) {
            return;
        }
        let [_, name] = names;
        // Where a file has become a link, or a link a file, it has two sections.
        self.made.is_miscounted |= self.last.as_ref() == Some(&name);
        self.made.counts.files += 1;
        self.last = Some(name);
        self.state = State::Above;
        self.show(&head.text);
    }

    fn begin_unmerged(&mut self, name: Option<Vec<u8>>, piece: &[u8]) {
        self.made.is_miscounted = true;
        self.state = State::Hidden;
        let Some(name) = name.filter(|name| self.shown.admits(name)) else { return };
        if self.made.unmerged.len() < MOST_UNMERGED {
            self.made.unmerged.insert(name);
        }
        self.state = State::Uncounted;
        self.show(piece);
    }

    fn show(&mut self, bytes: &[u8]) {
        if !self.made.truncated {
            self.decoder.decode(bytes, |text| keep(&mut self.made, self.most, text));
        }
    }
}

impl Head {
    /// Whether the line still belongs above what settles the names.
    fn takes(&mut self, line: &[u8]) -> bool {
        let name = |prefixes: [&[u8]; 2]| prefixes.into_iter().find_map(|prefix| line.strip_prefix(prefix));
        if let Some(old) = name([b"rename from ", b"copy from "]) {
            (self.old, self.name) = (unquoted(old), None);
        } else if let Some(new) = name([b"rename to ", b"copy to "]) {
            (self.new, self.name) = (unquoted(new), None);
        } else if !SETTLING.iter().any(|word| line.starts_with(word)) {
            // It belongs to the section all the same.
            self.lines += 1;
            return false;
        }
        self.lines += 1;
        true
    }
}

/// The name in a line that begins the section of a file with conflicts.
fn unmerged(line: &[u8]) -> Option<&[u8]> {
    let words: [&[u8]; 3] = [b"diff --cc ", b"diff --combined ", b"* Unmerged path "];
    words.into_iter().find_map(|word| line.strip_prefix(word))
}

/// Appends what fits: whole characters.
fn keep(made: &mut Reading, most: usize, text: &str) {
    if made.truncated {
        return;
    }
    let fits = text.floor_char_boundary(most.saturating_sub(made.text.len()));
    made.text.push_str(text.get(..fits).unwrap_or_default());
    made.truncated = fits < text.len();
}
