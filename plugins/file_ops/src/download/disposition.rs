//! `Content-Disposition`. Contract: file_ops §13.2; RFC 6266, RFC 5987.

/// The value that offers a file under this name.
pub(super) fn attachment(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let fallback: String = name.chars().map(|character| if is_plain(character) { character } else { '_' }).collect();
    let mut value = ["attachment; filename=\"", &fallback, "\""].concat();
    if fallback != *name {
        value.push_str("; filename*=UTF-8''");
        for byte in name.bytes() {
            push_encoded(&mut value, byte);
        }
    }
    value
}

/// Whether a character can stand in a quoted string as it is.
fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~') && !matches!(character, '"' | '\\')
}

/// A byte as RFC 5987 wants it: `attr-char` as it is, all else as `%XX`.
fn push_encoded(out: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
        out.push(char::from(byte));
    } else {
        let digit = |half: u8| char::from(if half < 10 { b'0' + half } else { b'A' + half - 10 });
        out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::attachment;

    #[test]
    fn a_plain_name_stands_alone() {
        assert_eq!(attachment(b"a.txt"), r#"attachment; filename="a.txt""#);
        assert_eq!(attachment(b"a b;c=d'(e)%41.txt"), r#"attachment; filename="a b;c=d'(e)%41.txt""#);
        assert_eq!(attachment(b""), r#"attachment; filename="""#);
    }

    #[test]
    fn any_other_name_has_a_fallback_and_its_encoding() {
        for (name, value) in [
            ("é.txt", r#"attachment; filename="_.txt"; filename*=UTF-8''%C3%A9.txt"#),
            ("a\"b\\c", r#"attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc"#),
            ("a\n\u{7f}\u{0}", r#"attachment; filename="a___"; filename*=UTF-8''a%0A%7F%00"#),
            (
                "sp ace 🤣 ü'\"$(x)#?&%.txt",
                r#"attachment; filename="sp ace _ _'_$(x)#?&%.txt"; filename*=UTF-8''sp%20ace%20%F0%9F%A4%A3%20%C3%BC%27%22$%28x%29#%3F&%25.txt"#,
            ),
            (
                "日!#$&+-.^_`|~*'%",
                r#"attachment; filename="_!#$&+-.^_`|~*'%"; filename*=UTF-8''%E6%97%A5!#$&+-.^_`|~%2A%27%25"#,
            ),
        ] {
            assert_eq!(attachment(name.as_bytes()), value);
        }
    }

    #[test]
    fn a_name_that_is_not_utf8_is_sent_as_its_lossy_text() {
        assert_eq!(attachment(b"a\xff"), r#"attachment; filename="a_"; filename*=UTF-8''a%EF%BF%BD"#);
    }
}
