//! Names in the lines of a patch.

/// The name that a whole text stands for: as it is, or quoted the way git does it where there are quotes, backslashes
/// or control characters in it. None: the quotes don't match.
pub(super) fn unquoted(text: &[u8]) -> Option<Vec<u8>> {
    let Some(inner) = text.strip_prefix(b"\"") else { return Some(text.to_vec()) };
    let (name, rest) = quoted(inner)?;
    rest.is_empty().then_some(name)
}

/// The name of a line `diff --git a/NAME b/NAME`, without what stands before the names. None: they are not the same, so
/// that the lines below have to be asked.
pub(super) fn both(text: &[u8]) -> Option<Vec<u8>> {
    let (old, new) = match text.strip_prefix(b"\"") {
        Some(inner) => {
            let (old, rest) = quoted(inner)?;
            (old, unquoted(rest.strip_prefix(b" ")?)?)
        }
        // Equal names have equal lengths, so the blank between them is in the middle whatever there is in the names.
        None => {
            let (old, rest) = text.split_at_checked(text.len() / 2)?;
            (old.to_vec(), rest.strip_prefix(b" ")?.to_vec())
        }
    };
    let name = old.strip_prefix(b"a/")?;
    (new.strip_prefix(b"b/")? == name).then(|| name.to_vec())
}

/// A name behind its opening quote, and what follows the closing one.
fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match first {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => *escape,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        digits.iter().try_fold(escape - b'0', |value, digit| {
                            matches!(digit, b'0'..=b'7').then(|| value << 3 | (digit - b'0'))
                        })?
                    }
                    _ => return None,
                });
            }
            byte => name.push(*byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{both, unquoted};

    #[test]
    fn names_are_unquoted_as_git_quotes_them() {
        for (text, name) in [
            (&b"a b.txt"[..], Some(&b"a b.txt"[..])),
            (br#""t\ta\"q\"\\n\n\001\377""#, Some(b"t\ta\"q\"\\n\n\x01\xff")),
            ("\"\u{e9}\\t\"".as_bytes(), Some("\u{e9}\t".as_bytes())),
            (br#""open"#, None),
            (br#""a"b"#, None),
            (br#""\q""#, None),
            (br#""\09x""#, None),
        ] {
            assert_eq!(unquoted(text).as_deref(), name, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn the_line_of_a_file_has_its_name_twice() {
        for (text, name) in [
            (&b"a/x b/x"[..], Some(&b"x"[..])),
            (b"a/x b/x b/x b/x", Some(b"x b/x")),
            (br#""a/x\ty" "b/x\ty""#, Some(b"x\ty")),
            (b"a/x b/y", None),
            (b"a/xx b/y", None),
            (br#""a/x\ty" b/z"#, None),
            (br#"a/z "b/x\ty""#, None),
            (b"x x", None),
            (b"", None),
        ] {
            assert_eq!(both(text).as_deref(), name, "{}", String::from_utf8_lossy(text));
        }
    }
}
