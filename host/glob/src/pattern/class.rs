//! The set of a glob: `[abc]`, `[a-c]`, `[!a]`, with `]` literal when it stands first.

/// A parsed set. Ranges are inclusive and in the order of the text; a reversed one has been left out, because it
/// holds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Class {
    /// `[!…]`: the set holds every code point that the ranges do not.
    pub(crate) negated: bool,
    /// Inclusive ranges, a single member being a range of one.
    pub(crate) ranges: Vec<(char, char)>,
}

impl Class {
    /// Reads the set whose `[` stands just before `text`. Returns it and the text behind its `]`, or `None` when
    /// there is no closing `]`, which makes the `[` a letter.
    pub(crate) fn parse(text: &str) -> Option<(Self, &str)> {
        let (negated, members) = match text.strip_prefix('!') {
            Some(members) => (true, members),
            None => (false, text),
        };
        // The first member may itself be `]`, so the search for the end begins behind it.
        let first = members.chars().next()?;
        let end = members.get(first.len_utf8()..)?.find(']')? + first.len_utf8();
        let body = members.get(..end)?;
        let after = members.get(end + 1..)?;
        Some((Self { negated, ranges: ranges(body) }, after))
    }
}

/// Reads members from left to right: `x-y` is a range, a `-` at either end is a letter.
fn ranges(body: &str) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    let mut letters = body.chars();
    while let Some(low) = letters.next() {
        let mut ahead = letters.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) => {
                letters = ahead;
                high
            }
            _ => low,
        };
        if low <= high {
            ranges.push((low, high));
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(negated: bool, ranges: &[(char, char)]) -> Class {
        Class { negated, ranges: ranges.to_vec() }
    }

    #[test]
    fn members_ranges_and_edges() {
        let rows: &[(&str, Class, &str)] = &[
            ("abc]x", class(false, &[('a', 'a'), ('b', 'b'), ('c', 'c')]), "x"),
            ("a-c]", class(false, &[('a', 'c')]), ""),
            ("!a]", class(true, &[('a', 'a')]), ""),
            ("]]", class(false, &[(']', ']')]), ""),
            ("!]]", class(true, &[(']', ']')]), ""),
            ("]-a]", class(false, &[(']', 'a')]), ""),
            ("-a]", class(false, &[('-', '-'), ('a', 'a')]), ""),
            ("a-]", class(false, &[('a', 'a'), ('-', '-')]), ""),
            ("a-c-e]", class(false, &[('a', 'c'), ('-', '-'), ('e', 'e')]), ""),
            ("--0]", class(false, &[('-', '0')]), ""),
            ("c-a]", class(false, &[]), ""),
            ("^a]", class(false, &[('^', '^'), ('a', 'a')]), ""),
            ("a!]", class(false, &[('a', 'a'), ('!', '!')]), ""),
            ("é-ü]", class(false, &[('é', 'ü')]), ""),
        ];
        for (text, expected, after) in rows {
            assert_eq!(Class::parse(text), Some((expected.clone(), *after)), "[{text}");
        }
    }

    #[test]
    fn without_an_end_there_is_no_set() {
        for text in ["", "]", "!", "!]", "abc", "!abc"] {
            assert_eq!(Class::parse(text), None, "[{text}");
        }
    }
}
