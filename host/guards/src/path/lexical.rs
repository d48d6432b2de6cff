//! Paths as text: no file system here.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::denial::PathDenial;

/// Longest path, in code points of its lossy text.
const MAX_CHARACTERS: usize = 4096;

/// Steps 1 to 3 (`contract: guards §1`): neither empty, nor with a NUL, nor too long.
pub(super) fn accept(raw: &[u8]) -> Result<(), PathDenial> {
    if raw.is_empty() {
        return Err(PathDenial::Empty);
    }
    if raw.contains(&0) {
        return Err(PathDenial::Nul);
    }
    // There are never more characters than bytes.
    if raw.len() > MAX_CHARACTERS && String::from_utf8_lossy(raw).chars().count() > MAX_CHARACTERS {
        return Err(PathDenial::TooLong);
    }
    Ok(())
}

/// `path`, taken from `/`, without `.`, `..`, repeated and trailing slashes. Textual: no link is looked at.
pub(crate) fn normalise(path: &[u8]) -> PathBuf {
    let mut out = Vec::with_capacity(path.len() + 1);
    append(&mut out, path);
    into_path(out)
}

/// As [`normalise`], of `path` below `base`, which is normalised.
pub(crate) fn normalise_below(base: &Path, path: &[u8]) -> PathBuf {
    let mut out = Vec::with_capacity(base.as_os_str().len() + path.len() + 1);
    append(&mut out, base.as_os_str().as_bytes());
    append(&mut out, path);
    into_path(out)
}

/// Walks `out` (a normalised path, `""` for `/`) along the components of `path`.
pub(super) fn append(out: &mut Vec<u8>, path: &[u8]) {
    for component in path.split(|byte| *byte == b'/') {
        match component {
            b"" | b"." => {}
            b".." => pop(out),
            name => {
                out.push(b'/');
                out.extend_from_slice(name);
            }
        }
    }
}

/// Cuts the last component off; the root stays.
pub(super) fn pop(path: &mut Vec<u8>) {
    path.truncate(path.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
}

/// The path that the bytes collected by [`append`] stand for.
pub(super) fn into_path(mut bytes: Vec<u8>) -> PathBuf {
    if bytes.is_empty() {
        bytes.push(b'/');
    }
    PathBuf::from(OsString::from_vec(bytes))
}

/// What follows `root` in `path` (empty when they are equal), if `path` is `root` or lies below it. Both are absolute
/// and normalised.
pub(crate) fn below<'p>(path: &'p Path, root: &Path) -> Option<&'p Path> {
    let rest = path.as_os_str().as_bytes().strip_prefix(root.as_os_str().as_bytes())?;
    let rest = match rest {
        [] => rest,
        [b'/', inner @ ..] => inner,
        // Only `/` ends with a slash; anything else that shares the prefix is a sibling.
        _ if root.as_os_str().as_bytes() == b"/" => rest,
        _ => return None,
    };
    Some(Path::new(std::ffi::OsStr::from_bytes(rest)))
}

#[cfg(test)]
mod tests {
    use super::{accept, below, normalise, normalise_below};
    use crate::path::PathDenial;
    use std::path::Path;

    #[test]
    fn normalisation_is_textual() {
        for (raw, expected) in [
            ("/", "/"),
            ("//", "/"),
            ("//r/out", "/r/out"),
            ("/r/./out/./a.txt", "/r/out/a.txt"),
            ("/r/out/a.txt/", "/r/out/a.txt"),
            ("/r/../r/out", "/r/out"),
            ("/../..", "/"),
            ("/r/out/lnk/../a.txt", "/r/out/a.txt"),
            ("/r/~", "/r/~"),
        ] {
            assert_eq!(normalise(raw.as_bytes()), Path::new(expected), "{raw}");
        }
        assert_eq!(normalise_below(Path::new("/r/out"), b"../secret"), Path::new("/r/secret"));
        assert_eq!(normalise_below(Path::new("/"), b"."), Path::new("/"));
    }

    #[test]
    fn below_goes_by_components() {
        assert_eq!(below(Path::new("/r/x"), Path::new("/r")), Some(Path::new("x")));
        assert_eq!(below(Path::new("/r"), Path::new("/r")), Some(Path::new("")));
        assert_eq!(below(Path::new("/r2/x"), Path::new("/r")), None);
        assert_eq!(below(Path::new("/r/x"), Path::new("/")), Some(Path::new("r/x")));
        assert_eq!(below(Path::new("/"), Path::new("/")), Some(Path::new("")));
        assert_eq!(below(Path::new("/"), Path::new("/r")), None);
    }

    #[test]
    fn length_counts_characters_of_the_lossy_text() {
        assert_eq!(accept(b""), Err(PathDenial::Empty));
        assert_eq!(accept(b"a\0b"), Err(PathDenial::Nul));
        assert_eq!(accept(&[b'a'; 4096]), Ok(()));
        assert_eq!(accept(&[b'a'; 4097]), Err(PathDenial::TooLong));
        assert_eq!(accept("é".repeat(4096).as_bytes()), Ok(()));
        assert_eq!(accept("é".repeat(4097).as_bytes()), Err(PathDenial::TooLong));
        assert_eq!(accept(&[0xff; 4096]), Ok(()));
        assert_eq!(accept(&[0xff; 4097]), Err(PathDenial::TooLong));
    }
}
