//! How names are spelt. Nothing here allocates.

/// A group, an endpoint id, a path parameter: `[a-z][a-z0-9_]*`.
pub(crate) fn is_name(text: &str) -> bool {
    starts_small(text) && text.bytes().all(|byte| is_small(byte) || byte == b'_')
}

/// A kebab-case name of the component model: `[a-z][a-z0-9]*(-[a-z0-9]+)*`.
pub(crate) fn is_interface(text: &str) -> bool {
    starts_small(text) && text.split('-').all(|word| !word.is_empty() && word.bytes().all(is_small))
}

/// `MAJOR.MINOR.PATCH`, numbers without leading zeros.
pub(crate) fn is_version(text: &str) -> bool {
    let number = |part: &str| {
        !part.is_empty()
            && part.len() <= 9
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    text.split('.').count() == 3 && text.split('.').all(number)
}

/// contract: policy §2, scope syntax.
pub(crate) fn is_scope(text: &str) -> bool {
    let rest = |text: &str, colon: bool| {
        starts_small(text)
            && text.bytes().all(|byte| is_small(byte) || b"_.-".contains(&byte) || (colon && byte == b':'))
    };
    match text.split_once(':') {
        None => text == "*" || rest(text, false),
        Some((space, name)) => is_name(space) && (name == "*" || rest(name, true)),
    }
}

/// A header name in lower case.
pub(crate) fn is_header(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| is_small(byte) || b"-_".contains(&byte))
}

/// A path that a request can have, with `{name}` segments.
pub(crate) fn is_path(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let segment = |segment: &str| match parameter(segment) {
        Some(name) => is_name(name),
        None => !matches!(segment, "" | "." | "..") && segment.bytes().all(plain),
    };
    text.strip_prefix('/').is_some_and(|rest| rest.split('/').all(segment))
}

/// The name in a segment `{name}`.
pub(crate) fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

fn starts_small(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
}

const fn is_small(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorts(rule: fn(&str) -> bool, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert!(rule(text), "{text:?} was refused");
        }
        for text in wrong {
            assert!(!rule(text), "{text:?} was taken");
        }
    }

    #[test]
    fn names() {
        sorts(is_name, &["a", "files_stat", "a1_"], &["", "A", "1a", "_a", "a-b", "a.b", "é", "a\n"]);
    }

    #[test]
    fn interfaces() {
        sorts(is_interface, &["files", "big-file2"], &["", "-a", "a-", "a--b", "a_b", "abx:host/files", "files@0.1.0"]);
    }

    #[test]
    fn versions() {
        sorts(is_version, &["0.1.0", "10.20.30"], &["", "1", "1.0", "1.0.0.0", "01.0.0", "1..0", "1.0.x", "v1.0.0"]);
    }

    #[test]
    fn scopes_are_those_of_the_policy() {
        sorts(
            is_scope,
            &["*", "a:*", "files:read", "a:b:c", "deploy", "a.b-c", "a_b:c.d-e"],
            &["", "A:b", "a:B", "a:1", "a:", "a-b:c", "1a:b", "*:*", "a:b\n", "files: read"],
        );
    }

    #[test]
    fn headers() {
        sorts(is_header, &["range", "x-a_1"], &["", "Range", "a b", "a:", "a\r"]);
    }

    #[test]
    fn paths() {
        sorts(
            is_path,
            &["/upload", "/files/list", "/process/{pid}/signal", "/.well-known/a~b"],
            &[
                "", "upload", "/", "//a", "/a/", "/a/../b", "/a b", "/a?b", "/{}", "/{A}", "/x{id}", "/{id", "/a%20",
                "/a;b",
            ],
        );
    }
}
