//! POSIX word splitting, for command lines and for patterns alike (`contract: guards §2`). Nothing is expanded and
//! nothing is ever handed to a shell.

use std::str::Chars;

use thiserror::Error;

/// Why a text does not split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SplitError {
    /// A quote is never closed.
    #[error("a quote is not closed")]
    UnclosedQuote,
    /// The text ends in a backslash that has nothing to escape.
    #[error("a backslash stands at the end")]
    TrailingBackslash,
}

/// Splits `text` into words at spaces, tabs, carriage returns and line feeds. `'…'` is literal, in `"…"` a backslash
/// escapes `"` and `\` only, a bare backslash makes the next character literal, adjacent pieces join. An empty quoted
/// word is a word.
///
/// # Errors
/// [`SplitError`] for an unclosed quote or a backslash at the end.
pub fn split_words(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    // `None` between words: an empty word and no word are not the same.
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\'' => single_quoted(&mut letters, word.get_or_insert_default())?,
            '"' => double_quoted(&mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(letters.next().ok_or(SplitError::TrailingBackslash)?),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Ok(words)
}

fn single_quoted(letters: &mut Chars<'_>, word: &mut String) -> Result<(), SplitError> {
    loop {
        match letters.next() {
            Some('\'') => return Ok(()),
            Some(letter) => word.push(letter),
            None => return Err(SplitError::UnclosedQuote),
        }
    }
}

fn double_quoted(letters: &mut Chars<'_>, word: &mut String) -> Result<(), SplitError> {
    loop {
        match letters.next() {
            Some('"') => return Ok(()),
            Some('\\') => match letters.next() {
                Some(escaped @ ('"' | '\\')) => word.push(escaped),
                Some(other) => word.extend(['\\', other]),
                None => return Err(SplitError::TrailingBackslash),
            },
            Some(letter) => word.push(letter),
            None => return Err(SplitError::UnclosedQuote),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SplitError, split_words};

    #[test]
    fn words_are_split_as_posix_shells_do() {
        let rows: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\r\n", &[]),
            ("a b\tc\rd\ne", &["a", "b", "c", "d", "e"]),
            ("a'b'c", &["abc"]),
            ("'a b' \"c d\"", &["a b", "c d"]),
            ("''", &[""]),
            ("a \"\" b", &["a", "", "b"]),
            (r#""a\"b\\c\d""#, &[r#"a"b\c\d"#]),
            (r"'a\b'", &[r"a\b"]),
            (r"a\ b \n", &["a b", "n"]),
            ("a\\\nb", &["a\nb"]),
            ("# $x *.c | ; ~", &["#", "$x", "*.c", "|", ";", "~"]),
            ("a\u{a0}b", &["a\u{a0}b"]),
        ];
        for &(text, expected) in rows {
            assert_eq!(split_words(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_does_not_split() {
        for text in ["'a", "\"a", "a'", "'\\", "\"a\\\""] {
            assert_eq!(split_words(text), Err(SplitError::UnclosedQuote), "{text:?}");
        }
        for text in ["\\", "a\\", "\"a\\"] {
            assert_eq!(split_words(text), Err(SplitError::TrailingBackslash), "{text:?}");
        }
    }
}
