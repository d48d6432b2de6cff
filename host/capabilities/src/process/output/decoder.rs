//! From bytes to text, across the borders of reads (D32).

/// What stands for an invalid sequence.
const REPLACEMENT: &str = "\u{FFFD}";

/// Longest beginning of a character that is no whole one.
const TAIL: usize = 3;

/// Decodes one stream. Holds the beginning of a character whose rest has not come yet.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    tail: [u8; TAIL],
    held: usize,
}

impl Decoder {
    /// Hands out the text of `bytes`, in pieces: whole characters, U+FFFD for each invalid sequence. What `bytes` end in
    /// the middle of is kept for the next call.
    pub(crate) fn decode(&mut self, mut bytes: &[u8], mut out: impl FnMut(&str)) {
        while self.held > 0 {
            let Some((first, rest)) = bytes.split_first() else { return };
            // A held beginning and one more byte: a whole character, a longer beginning, or nothing valid.
            let mut joined = [0; TAIL + 1];
            for (to, from) in joined.iter_mut().zip(self.tail.iter().take(self.held).chain([first])) {
                *to = *from;
            }
            let joined = joined.get(..=self.held).unwrap_or_default();
            match std::str::from_utf8(joined) {
                Ok(text) => {
                    out(text);
                    self.held = 0;
                    bytes = rest;
                }
                Err(error) if error.error_len().is_none() => {
                    self.keep(&[*first]);
                    bytes = rest;
                }
                // The held bytes are an invalid sequence; this byte begins something else.
                Err(_) => {
                    out(REPLACEMENT);
                    self.held = 0;
                }
            }
        }
        self.decode_whole(bytes, out);
    }

    /// The stream has ended: what is held will never be a character.
    pub(crate) fn finish(&mut self, mut out: impl FnMut(&str)) {
        if self.held > 0 {
            self.held = 0;
            out(REPLACEMENT);
        }
    }

    fn decode_whole(&mut self, bytes: &[u8], mut out: impl FnMut(&str)) {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            if !chunk.valid().is_empty() {
                out(chunk.valid());
            }
            if chunk.invalid().is_empty() {
                continue;
            }
            let is_beginning = || std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && is_beginning() {
                self.keep(chunk.invalid());
            } else {
                out(REPLACEMENT);
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        for (to, from) in self.tail.iter_mut().skip(self.held).zip(bytes) {
            *to = *from;
        }
        self.held = (self.held + bytes.len()).min(TAIL);
    }
}

#[cfg(test)]
mod tests {
    use super::Decoder;
    use proptest::prelude::*;

    fn decoded(pieces: &[&[u8]]) -> String {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        for piece in pieces {
            decoder.decode(piece, |piece| text.push_str(piece));
        }
        decoder.finish(|piece| text.push_str(piece));
        text
    }

    #[test]
    fn a_character_over_three_reads_is_one() {
        assert_eq!(decoded(&[b"\xe2", b"\x89", b"\xa4"]), "≤");
        assert_eq!(decoded(&[b"\xf0\x9f", b"", b"\xa4\xa3!"]), "🤣!");
    }

    #[test]
    fn an_incomplete_character_at_the_end_is_one_replacement() {
        assert_eq!(decoded(&[b"a\xf0\x9f\xa4"]), "a\u{FFFD}");
    }

    #[test]
    fn nul_and_carriage_return_stay() {
        assert_eq!(decoded(&[b"\xff\xfeA\x00B\r\n"]), "\u{FFFD}\u{FFFD}A\0B\r\n");
    }

    proptest! {
        #[test]
        fn borders_make_no_difference(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80..0xC0_u8, 0xE0..0xF8_u8], 0..40),
            cuts in prop::collection::vec(0..40_usize, 0..6),
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut <= bytes.len()).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let pieces: Vec<_> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(decoded(&pieces), String::from_utf8_lossy(&bytes));
        }
    }
}
