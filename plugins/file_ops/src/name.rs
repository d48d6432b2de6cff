//! Parts of a path's last component.

/// The last component of a path without a trailing slash; empty for the root.
pub(crate) fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// From the last dot of a name to its end, without the dot; leading dots of the name don't count. Contract: policy §2.
pub(crate) fn extension(name: &[u8]) -> Option<&[u8]> {
    let leading = name.iter().take_while(|byte| **byte == b'.').count();
    let (_, name) = name.split_at_checked(leading)?;
    let dot = name.iter().rposition(|byte| *byte == b'.')?;
    name.get(dot + 1..)
}

#[cfg(test)]
mod tests {
    use super::{base, extension};

    #[test]
    fn the_base_is_what_follows_the_last_slash() {
        for (path, name) in [("/a/b", "b"), ("/b", "b"), ("/", ""), ("b", "b"), ("", "")] {
            assert_eq!(base(path.as_bytes()), name.as_bytes(), "{path}");
        }
    }

    #[test]
    fn the_extension_is_what_follows_the_last_dot() {
        for (name, expected) in [
            ("a.TXT", Some("TXT")),
            ("a.tar.gz", Some("gz")),
            ("a.", Some("")),
            ("noext", None),
            (".env", None),
            ("..x", None),
            (".env.local", Some("local")),
            ("...", None),
            ("", None),
        ] {
            assert_eq!(extension(name.as_bytes()), expected.map(str::as_bytes), "{name}");
        }
    }
}
