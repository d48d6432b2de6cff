//! Messages on a pipe: each ends with a NUL byte.

/// Bytes of one message that are kept. A page decides how long a console text or a result is, so there is an end.
pub(super) const MOST: usize = 48 << 20;

/// Bytes of a longer message that are kept, for its id.
const BEGINNING: usize = 64;

/// Takes bytes and gives messages.
#[derive(Debug, Default)]
pub(super) struct Frames {
    buffer: Vec<u8>,
    /// The message is too long: only its beginning is in the buffer.
    is_cut: bool,
}

/// A message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    Whole(&'a [u8]),
    /// One that was too long; its beginning.
    Cut(&'a [u8]),
}

impl Frames {
    /// Takes bytes off the pipe; `each` is given the messages that they end.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(Frame<'_>)) {
        while let Some(end) = memchr::memchr(0, bytes) {
            let (last, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.buffer.is_empty() && !self.is_cut {
                each(Frame::Whole(last));
                continue;
            }
            self.keep(last);
            match self.is_cut {
                false => each(Frame::Whole(&self.buffer)),
                true => each(Frame::Cut(&self.buffer)),
            }
            self.begin();
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.is_cut {
            return;
        }
        if self.buffer.len() + bytes.len() > MOST {
            self.buffer.extend(bytes.iter().take(BEGINNING));
            self.buffer.truncate(BEGINNING);
            self.buffer.shrink_to_fit();
            self.is_cut = true;
        } else {
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// A new message. What one long message took is given back.
    fn begin(&mut self) {
        self.is_cut = false;
        self.buffer.clear();
        self.buffer.shrink_to(1 << 20);
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Frames, MOST};

    fn fed(chunks: &[&[u8]]) -> Vec<String> {
        let (mut frames, mut seen) = (Frames::default(), Vec::new());
        for chunk in chunks {
            frames.feed(chunk, |frame| match frame {
                Frame::Whole(text) => seen.push(String::from_utf8(text.to_vec()).unwrap()),
                Frame::Cut(text) => seen.push(format!("cut {}", String::from_utf8(text.to_vec()).unwrap())),
            });
        }
        seen
    }

    #[test]
    fn messages_are_whole_however_they_arrive() {
        assert_eq!(fed(&[b"ab\0c\0", b"d", b"", b"e\0f"]), ["ab", "c", "de"]);
        assert_eq!(fed(&[b"\0\0"]), ["", ""]);
    }

    #[test]
    fn of_one_that_is_too_long_the_beginning_is_kept() {
        let long = vec![b'x'; MOST];
        let seen = fed(&[b"{\"id\":5,", &long, &long, b"\0next\0"]);
        assert_eq!(seen.len(), 2);
        assert!(seen[0].starts_with("cut {\"id\":5,xx"), "{}", seen[0]);
        assert_eq!((seen[0].len(), &*seen[1]), (4 + 64, "next"));
    }
}
