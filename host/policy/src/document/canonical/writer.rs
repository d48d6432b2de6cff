//! Writing a normalised document.

use std::fmt::Write as _;

use super::{Canonical, float_text};

/// Compact JSON.
pub(in crate::document) fn compact(value: &Canonical) -> String {
    let mut text = String::new();
    write(&mut text, value);
    text
}

fn write(text: &mut String, value: &Canonical) {
    match value {
        Canonical::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Canonical::Integer(number) => text.push_str(&number.to_string()),
        Canonical::Float(number) => text.push_str(&float_text(*number)),
        Canonical::Text(words) => write_text(text, words),
        Canonical::List(items) => {
            write_all(text, ['[', ']'], items, write);
        }
        Canonical::Object(entries) => {
            write_all(text, ['{', '}'], entries, |text, (key, value)| entry(text, key, value))
        }
        Canonical::Named(entries) => write_all(text, ['{', '}'], entries, |text, (key, value)| entry(text, key, value)),
    }
}

fn entry(text: &mut String, key: &str, value: &Canonical) {
    write_text(text, key);
    text.push(':');
    write(text, value);
}

fn write_all<T>(
    text: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    write_one: impl Fn(&mut String, T),
) {
    text.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_one(text, item);
    }
    text.push(close);
}

fn write_text(text: &mut String, words: &str) {
    text.push('"');
    for letter in words.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    // Writing to a `String` cannot fail.
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_outside_printable_ascii_is_escaped() {
        let text = Canonical::Text("a\"\\\n\r\t\u{8}\u{c}\u{1}\u{7f}é\u{2028}😀/".to_owned());
        assert_eq!(compact(&text), r#""a\"\\\n\r\t\b\f\u0001\u007f\u00e9\u2028\ud83d\ude00/""#);
    }

    #[test]
    fn keys_are_sorted_and_nothing_is_spaced() {
        let list = Canonical::List(vec![Canonical::Bool(true), Canonical::Integer(-5), Canonical::Float(2.0)]);
        let entries = [("b".to_owned(), list), ("a".to_owned(), Canonical::List(Vec::new()))];
        assert_eq!(compact(&Canonical::Named(entries.into())), r#"{"a":[],"b":[true,-5,2.0]}"#);
    }
}
