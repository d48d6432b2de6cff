//! Names of variables as text.

/// Whether `name` is `[A-Za-z_][A-Za-z0-9_]*` and nothing else.
pub(super) fn is_well_formed(name: &str) -> bool {
    let is_first = |letter: u8| letter.is_ascii_alphabetic() || letter == b'_';
    let mut letters = name.bytes();
    letters.next().is_some_and(is_first) && letters.all(|letter| is_first(letter) || letter.is_ascii_digit())
}

/// Whether `name` starts with `prefix` (ASCII) in any case.
pub(super) fn has_prefix(name: &str, prefix: &str) -> bool {
    name.as_bytes().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}
