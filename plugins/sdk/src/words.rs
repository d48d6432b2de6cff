//! Command lines as words, split as POSIX shells do. Contract: guards §2.
//!
//! Nothing is expanded, and no shell ever sees the text.

use std::str::Chars;

use crate::Problem;

/// The words of a command line.
///
/// Spaces, tabs, carriage returns and line feeds separate. `'…'` is literal, in `"…"` a backslash escapes `"` and `\` only,
/// a bare backslash makes the next character literal, adjacent pieces join. An empty quoted word is a word.
///
/// # Errors
///
/// `ValueError` if a quote is not closed or a backslash stands at the end.
pub fn split(text: &str) -> Result<Vec<String>, Problem> {
    let mut words = Vec::new();
    // `None` between words: an empty word and no word are not the same.
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '\'' => single_quoted(&mut letters, word.get_or_insert_default())?,
            '"' => double_quoted(&mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(letters.next().ok_or_else(trailing)?),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Ok(words)
}

fn single_quoted(letters: &mut Chars<'_>, word: &mut String) -> Result<(), Problem> {
    loop {
        match letters.next().ok_or_else(unclosed)? {
            '\'' => return Ok(()),
            letter => word.push(letter),
        }
    }
}

fn double_quoted(letters: &mut Chars<'_>, word: &mut String) -> Result<(), Problem> {
    loop {
        match letters.next().ok_or_else(unclosed)? {
            '"' => return Ok(()),
            '\\' => match letters.next().ok_or_else(trailing)? {
                escaped @ ('"' | '\\') => word.push(escaped),
                other => word.extend(['\\', other]),
            },
            letter => word.push(letter),
        }
    }
}

fn unclosed() -> Problem {
    Problem::value_error("a quote of the command is not closed")
}

fn trailing() -> Problem {
    Problem::value_error("a backslash stands at the end of the command")
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_as_posix_shells_do() {
        let rows: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\r\n", &[]),
            ("a b\tc\rd\ne", &["a", "b", "c", "d", "e"]),
            ("a'b'c", &["abc"]),
            ("'a b' \"c d\"", &["a b", "c d"]),
            ("a\"\"b \"\"", &["ab", ""]),
            (r#""a\"b\\c\d""#, &[r#"a"b\c\d"#]),
            (r"'a\b'", &[r"a\b"]),
            ("a\\\nb", &["a\nb"]),
            ("# $x *.c | ; > ~", &["#", "$x", "*.c", "|", ";", ">", "~"]),
            ("a\u{a0}b\u{b}c", &["a\u{a0}b\u{b}c"]),
        ];
        for &(text, expected) in rows {
            assert_eq!(split(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_does_not_split_is_a_plain_value_error() {
        for text in ["'a", "\"a", "a'", "'\\", "\"a\\\"", "\\", "a\\", "\"a\\"] {
            let problem = split(text).unwrap_err();
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (400, "ValueError", None), "{text:?}");
        }
    }
}
