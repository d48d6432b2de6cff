//! The form of a command line that patterns are matched against.

/// Every flag of one letter, two bytes each.
const FLAGS: &str =
    "-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-A-B-C-D-E-F-G-H-I-J-K-L-M-N-O-P-Q-R-S-T-U-V-W-X-Y-Z";

/// A command line with grouped flags taken apart, `-lR` to `-l -R` (`contract: guards §2`, step 1 of the algorithm).
#[derive(Debug)]
pub struct MatchingView<'a> {
    words: Vec<&'a str>,
    is_split: bool,
}

impl<'a> MatchingView<'a> {
    /// The view of `argv`. Its first word, the program, stays as it is.
    #[must_use]
    pub fn of<W: AsRef<str>>(argv: &'a [W]) -> Self {
        let mut words = Vec::with_capacity(argv.len());
        let mut is_split = false;
        for (index, word) in argv.iter().map(AsRef::as_ref).enumerate() {
            match grouped_flags(word).filter(|_| index > 0) {
                Some(letters) => {
                    is_split = true;
                    letters.bytes().filter_map(flag).for_each(|flag| words.push(flag));
                }
                None => words.push(word),
            }
        }
        Self { words, is_split }
    }

    /// Whether a word was taken apart, so that the view is not what will run.
    #[must_use]
    pub const fn is_split(&self) -> bool {
        self.is_split
    }

    pub(crate) fn words(&self) -> &[&'a str] {
        &self.words
    }
}

/// The letters of a word that is `-` and two or more ASCII letters.
pub(crate) fn grouped_flags(word: &str) -> Option<&str> {
    let letters = word.strip_prefix('-')?;
    (letters.len() >= 2 && letters.bytes().all(|letter| letter.is_ascii_alphabetic())).then_some(letters)
}

/// The flag of one ASCII letter.
fn flag(letter: u8) -> Option<&'static str> {
    let place = match letter {
        b'a'..=b'z' => letter - b'a',
        b'A'..=b'Z' => letter - b'A' + 26,
        _ => return None,
    };
    let start = 2 * usize::from(place);
    FLAGS.get(start..start + 2)
}

#[cfg(test)]
mod tests {
    use super::MatchingView;

    #[test]
    fn grouped_flags_are_taken_apart_and_nothing_else() {
        let rows: &[(&[&str], &[&str])] = &[
            (&["ls", "-lR"], &["ls", "-l", "-R"]),
            (&["-lR", "-azAZ"], &["-lR", "-a", "-z", "-A", "-Z"]),
            (&["find", ".", "-name", "x"], &["find", ".", "-n", "-a", "-m", "-e", "x"]),
            (
                &["x", "--all", "-a1", "-", "-a", "", "-é", "-éa", "a-b"],
                &["x", "--all", "-a1", "-", "-a", "", "-é", "-éa", "a-b"],
            ),
            (&[], &[]),
        ];
        for &(argv, expected) in rows {
            let view = MatchingView::of(argv);
            assert_eq!(view.words(), expected);
            assert_eq!(view.is_split(), argv != expected);
        }
    }
}
