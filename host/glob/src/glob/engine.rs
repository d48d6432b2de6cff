//! The ways a glob is matched, and how tokens are written for each.

use std::fmt::Write as _;

use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};

use crate::pattern::{Class, Token};

/// Code points of a pattern with wildcards. globset panics beyond its engine's limit, which lies far above this.
const MAX_TOKENS: usize = 16_384;

/// What globset would read as its own syntax in a literal.
const GLOBSET_SYNTAX: [char; 7] = ['?', '[', ']', '{', '}', ',', '\\'];

/// A matcher for one pattern.
#[derive(Debug)]
pub(super) enum Engine {
    /// No wildcard.
    Literal(Box<str>),
    /// One `*` between two texts, either of which may be empty.
    Run { before: Box<str>, behind: Box<str> },
    /// Letters and several `*`.
    Runs {
        /// The longest run of letters, which a match must contain. Most texts fail here, before the slower engine.
        needle: Box<str>,
        matcher: GlobMatcher,
    },
    /// `?` or a set somewhere.
    Letters(Regex),
}

impl Engine {
    /// Chooses and builds the engine; `None` when the compiled form would be too large.
    pub(super) fn build(text: &str, tokens: &[Token]) -> Option<Self> {
        if tokens.iter().all(|token| matches!(token, Token::Literal(_))) {
            return Some(Self::Literal(text.into()));
        }
        if tokens.len() > MAX_TOKENS {
            return None;
        }
        match letters_between_runs(tokens).as_deref() {
            Some([before, behind]) => {
                Some(Self::Run { before: before.as_str().into(), behind: behind.as_str().into() })
            }
            Some(pieces) => {
                let needle = pieces.iter().max_by_key(|piece| piece.len()).map(String::as_str).unwrap_or_default();
                let text = globset_text(pieces);
                let glob = GlobBuilder::new(&text).literal_separator(false).backslash_escape(true).build().ok()?;
                Some(Self::Runs { needle: needle.into(), matcher: glob.compile_matcher() })
            }
            None => {
                let text = regex_text(tokens);
                RegexBuilder::new(&text).dot_matches_new_line(true).build().ok().map(Self::Letters)
            }
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Literal(literal) => **literal == *text,
            Self::Run { before, behind } => text.strip_prefix(&**before).is_some_and(|rest| rest.ends_with(&**behind)),
            Self::Runs { needle, matcher } => text.contains(&**needle) && matcher.is_match(text),
            Self::Letters(regex) => regex.is_match(text),
        }
    }
}

/// The letters before, between and behind the runs; `None` when there is something that globset would match by bytes.
fn letters_between_runs(tokens: &[Token]) -> Option<Vec<String>> {
    let pieces = tokens.split(|token| *token == Token::AnyRun);
    let letter = |token: &Token| match *token {
        Token::Literal(letter) => Some(letter),
        _ => None,
    };
    pieces.map(|piece| piece.iter().map(letter).collect()).collect()
}

/// The pieces in globset's syntax, a run between each two.
fn globset_text(pieces: &[String]) -> String {
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            text.push('*');
        }
        for letter in piece.chars() {
            if GLOBSET_SYNTAX.contains(&letter) {
                text.push('\\');
            }
            text.push(letter);
        }
    }
    text
}

/// The tokens as an anchored regular expression over code points.
fn regex_text(tokens: &[Token]) -> String {
    let mut text = String::from(r"\A");
    for token in tokens {
        match token {
            Token::Literal(letter) => push_letter(&mut text, *letter),
            Token::AnyRun => text.push_str(".*"),
            Token::AnyOne => text.push('.'),
            Token::OneOf(class) => push_class(&mut text, class),
        }
    }
    text.push_str(r"\z");
    text
}

fn push_class(text: &mut String, class: &Class) {
    // A set without members needs its own spelling: `[]` and `[^]` would not be empty sets in the engine's syntax.
    match (class.ranges.as_slice(), class.negated) {
        ([], true) => text.push('.'),
        ([], false) => text.push_str(r"[^\x{0}-\x{10FFFF}]"),
        (ranges, negated) => {
            text.push_str(if negated { "[^" } else { "[" });
            for &(low, high) in ranges {
                push_letter(text, low);
                text.push('-');
                push_letter(text, high);
            }
            text.push(']');
        }
    }
}

/// Writes a code point by number, so that none is ever read as syntax.
fn push_letter(text: &mut String, letter: char) {
    // Writing to a `String` cannot fail.
    let _ = write!(text, r"\x{{{:X}}}", u32::from(letter));
}
