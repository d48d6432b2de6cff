//! What git says of where a repository is, and what it is made of.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// How objects and refs are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Format {
    /// Whether objects are named by SHA-256, and not by SHA-1.
    sha256: bool,
    /// Whether refs are in tables, and not in files.
    reftable: bool,
}

impl Format {
    /// The lines of a configuration that say so.
    pub(super) fn as_settings(self) -> String {
        let mut extensions = String::new();
        if self.sha256 {
            extensions += "\tobjectFormat = sha256\n";
        }
        if self.reftable {
            extensions += "\trefStorage = reftable\n";
        }
        match &*extensions {
            "" => "[core]\n\trepositoryFormatVersion = 0\n".to_owned(),
            given => format!("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n{given}"),
        }
    }

    /// The name of the tree that has no entries.
    pub(super) const fn empty_tree(self) -> &'static str {
        if self.sha256 {
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        } else {
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        }
    }
}

/// What is asked: one line for each answer, the path last, since there may be newlines in it.
pub(super) const QUESTION: [&str; 5] =
    ["rev-parse", "--is-bare-repository", "--show-object-format", "--show-ref-format", "--absolute-git-dir"];

/// A repository that git found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Discovered {
    pub(super) is_bare: bool,
    pub(super) format: Format,
    /// Real path of its directory (`.git`, mostly).
    pub(super) git_dir: PathBuf,
}

impl Discovered {
    /// Reads the answer. A git that doesn't know a question repeats it, and knows only what is usual.
    pub(super) fn read(answer: &[u8]) -> Option<Self> {
        let mut lines = answer.splitn(4, |byte| *byte == b'\n');
        let [bare, objects, refs, path] = [lines.next()?, lines.next()?, lines.next()?, lines.next()?];
        let path = path.strip_suffix(b"\n").unwrap_or(path);
        let format = Format { sha256: objects == b"sha256", reftable: refs == b"reftable" };
        let git_dir = PathBuf::from(OsString::from_vec(path.to_vec()));
        git_dir.is_absolute().then_some(Self { is_bare: bare == b"true", format, git_dir })
    }
}

#[cfg(test)]
mod tests {
    use super::{Discovered, Format};
    use std::path::Path;

    #[test]
    fn answers_are_lines_with_the_path_last() {
        let read = Discovered::read(b"false\nsha256\nreftable\n/a\nb/.git\n").unwrap();
        assert_eq!(read.git_dir, Path::new("/a\nb/.git"));
        assert_eq!((read.is_bare, read.format), (false, Format { sha256: true, reftable: true }));
        let old = Discovered::read(b"true\n--show-object-format\n--show-ref-format\n/a\n").unwrap();
        assert_eq!((old.is_bare, old.format), (true, Format::default()));
        for answer in [&b""[..], b"false\nsha1\nfiles\n", b"false\nsha1\nfiles\n.git\n"] {
            assert_eq!(Discovered::read(answer), None);
        }
    }

    #[test]
    fn what_is_unusual_is_said() {
        assert!(!Format::default().as_settings().contains("extensions"));
        let unusual = Format { sha256: true, reftable: true }.as_settings();
        assert!(unusual.contains("= 1\n[extensions]\n\tobjectFormat = sha256\n\trefStorage = reftable\n"), "{unusual}");
    }
}
