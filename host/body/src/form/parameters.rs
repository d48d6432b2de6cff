//! The parameters behind a header value's first word: `; key=value`, where a value is a token or quoted.

/// Read what stands behind the first semicolon. Keys keep their case. None: it can't be read.
pub(super) fn parameters(text: &str) -> Option<Vec<(&str, String)>> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.trim_start_matches(is_blank).is_empty() {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start_matches(is_blank);
        let (value, behind) = match behind.strip_prefix('"') {
            Some(inside) => quoted(inside)?,
            None => token(behind),
        };
        found.push((key.trim_matches(is_blank), value));
        let behind = behind.trim_start_matches(is_blank);
        rest = if behind.is_empty() { "" } else { behind.strip_prefix(';')? };
    }
    Some(found)
}

/// Space and tab.
pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Everything up to the next semicolon: clients leave quotes away where they should not.
fn token(text: &str) -> (String, &str) {
    let (value, behind) = text.split_at_checked(text.find(';').unwrap_or(text.len())).unwrap_or((text, ""));
    (value.trim_end_matches(is_blank).to_owned(), behind)
}

/// The inside of a quoted value, and what stands behind its closing quote. Only `\"` and `\\` are escapes: browsers
/// send any other backslash for itself.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '"' => return Some((value, characters.as_str())),
            '\\' if characters.as_str().starts_with(['"', '\\']) => value.extend(characters.next()),
            character => value.push(character),
        }
    }
}
