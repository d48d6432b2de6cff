//! The keys of a US keyboard, by the character that they write.

/// A key as the browser is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// `KeyboardEvent.key`.
    pub(super) key: String,
    /// `KeyboardEvent.code`.
    pub(super) code: String,
    /// `KeyboardEvent.keyCode`.
    pub(super) number: u8,
    /// What is written.
    pub(super) text: Option<String>,
}

/// Keys beside letters and digits: characters without and with shift, code, number.
const SYMBOLS: [(char, char, &str, u8); 11] = [
    (';', ':', "Semicolon", 186),
    ('=', '+', "Equal", 187),
    (',', '<', "Comma", 188),
    ('-', '_', "Minus", 189),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('`', '~', "Backquote", 192),
    ('[', '{', "BracketLeft", 219),
    ('\\', '|', "Backslash", 220),
    (']', '}', "BracketRight", 221),
    ('\'', '"', "Quote", 222),
];

/// What the digits write with shift, from 0 on.
const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

impl Key {
    /// The key that empties what is selected.
    pub(super) fn delete() -> Self {
        Self::named("Delete", 46, None)
    }

    /// The key that writes a character. None: there is none on this keyboard.
    pub(super) fn of(letter: char) -> Option<Self> {
        let upper = letter.to_ascii_uppercase();
        let writes = |code: String, number: u8| {
            let text = letter.to_string();
            Some(Self { key: text.clone(), code, number, text: Some(text) })
        };
        match letter {
            '\n' | '\r' => Some(Self::named("Enter", 13, Some("\r"))),
            '\t' => Some(Self::named("Tab", 9, None)),
            ' ' => writes("Space".to_owned(), 32),
            'a'..='z' | 'A'..='Z' => writes(format!("Key{upper}"), u8::try_from(upper).ok()?),
            '0'..='9' => writes(format!("Digit{letter}"), u8::try_from(letter).ok()?),
            _ => {
                if let Some((.., code, number)) = SYMBOLS.iter().find(|(a, b, ..)| [*a, *b].contains(&letter)) {
                    return writes((*code).to_owned(), *number);
                }
                let digit = u8::try_from(SHIFTED_DIGITS.find(letter)?).ok()?;
                writes(format!("Digit{digit}"), b'0' + digit)
            }
        }
    }

    fn named(name: &str, number: u8, text: Option<&str>) -> Self {
        Self { key: name.to_owned(), code: name.to_owned(), number, text: text.map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn every_printable_character_of_ascii_has_a_key() {
        for letter in ' '..='~' {
            let key = Key::of(letter).unwrap();
            assert_eq!((key.key.as_str(), key.text), (&*letter.to_string(), Some(letter.to_string())));
        }
        for letter in ['é', '你', '🤣', '\u{7f}', '\0'] {
            assert_eq!(Key::of(letter), None);
        }
    }

    #[test]
    fn keys_have_the_codes_of_a_us_keyboard() {
        for (letter, code, number) in [
            ('a', "KeyA", 65),
            ('Z', "KeyZ", 90),
            ('7', "Digit7", 55),
            ('&', "Digit7", 55),
            (')', "Digit0", 48),
            ('?', "Slash", 191),
            (' ', "Space", 32),
            ('\n', "Enter", 13),
            ('\t', "Tab", 9),
        ] {
            let key = Key::of(letter).unwrap();
            assert_eq!((&*key.code, key.number), (code, number), "{letter:?}");
        }
        assert_eq!(Key::of('\n').unwrap().text.as_deref(), Some("\r"));
        assert_eq!((Key::of('\t').unwrap().text, Key::delete().number), (None, 46));
    }
}
