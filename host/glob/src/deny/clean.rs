//! Cleaning a deny pattern as text, before its form is chosen.

use crate::pattern::has_wildcard;

/// Takes out repeated and trailing slashes, `.` components, and each `..` together with the glob-free component
/// before it. A `..` at the very root goes away too, as it does in a path. The result may be empty.
pub(super) fn clean(pattern: &str) -> String {
    let is_absolute = pattern.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for component in pattern.split('/') {
        match component {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&before) if before != ".." && !has_wildcard(before) => drop(kept.pop()),
                None if is_absolute => {}
                _ => kept.push(component),
            },
            name => kept.push(name),
        }
    }
    let body = kept.join("/");
    if is_absolute { format!("/{body}") } else { body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_away() {
        let rows = [
            ("/a//b", "/a/b"),
            ("//a", "/a"),
            ("/a/../b", "/b"),
            ("./a", "a"),
            ("a/", "a"),
            ("a/./b/", "a/b"),
            ("/", "/"),
            ("//", "/"),
            ("/.", "/"),
            ("/..", "/"),
            ("/../a", "/a"),
            ("/a/b/../../c", "/c"),
            ("a/../b", "b"),
            ("**/", "**"),
            ("/**/", "/**"),
            ("", ""),
            (".", ""),
            ("./", ""),
            ("a/..", ""),
        ];
        for (pattern, expected) in rows {
            assert_eq!(clean(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn dots_behind_a_glob_or_at_a_relative_start_stay() {
        for pattern in ["*/../a", "/a*/../b", "../a", "../../a", "[ab]/../c"] {
            assert_eq!(clean(pattern), pattern);
        }
    }
}
