//! What `--commands` can name (`contract: commands §5`).

use std::path::{Path, PathBuf};

/// One source of commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A Python file.
    File {
        /// As it was given.
        given: String,
        /// The same, absolute.
        path: PathBuf,
    },
    /// A Python file that an interpreter ran, and whose `start()` became this server: it runs as the main program.
    Script {
        /// Absolute.
        path: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// A Python module, looked up on the interpreter's import path.
    Module(String),
    /// A file that declares commands: TOML, or JSON.
    Declared {
        /// As it was given.
        given: String,
        /// The same, absolute.
        path: PathBuf,
    },
}

/// All sources of a start, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The sources.
    pub sources: Vec<Source>,
    /// The Python interpreter: a name that is looked up on the PATH, or a path.
    pub interpreter: Option<String>,
}

impl Source {
    /// What a word stands for: a declaring file by its extension, a Python file by its extension, a `/` in it, or because
    /// there is such a file; else a module.
    #[must_use]
    pub fn of(given: &str, working_dir: &Path) -> Self {
        let path = working_dir.join(given);
        let has = |extension: &str| path.extension().is_some_and(|found| found == extension);
        let given = given.to_owned();
        if has("toml") || has("json") {
            Self::Declared { given, path }
        } else if given.ends_with(".py") || given.contains('/') || path.is_file() {
            Self::File { given, path }
        } else {
            Self::Module(given)
        }
    }

    /// What errors call it.
    #[must_use]
    pub fn given(&self) -> String {
        match self {
            Self::File { given, .. } | Self::Declared { given, .. } | Self::Module(given) => given.clone(),
            Self::Script { path, .. } => path.display().to_string(),
        }
    }

    /// The file that it is, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } | Self::Script { path, .. } | Self::Declared { path, .. } => Some(path),
            Self::Module(_) => None,
        }
    }

    /// Whether Python loads it.
    pub(crate) fn is_python(&self) -> bool {
        !matches!(self, Self::Declared { .. })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Source;

    #[test]
    fn words_are_files_or_modules() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("plain"), "").unwrap();
        std::fs::create_dir(directory.path().join("folder")).unwrap();
        let kind = |word: &str| match Source::of(word, directory.path()) {
            Source::File { .. } => "file",
            Source::Module(_) => "module",
            Source::Declared { .. } => "declared",
            Source::Script { .. } => "script",
        };
        for (word, expected) in [
            ("a.py", "file"),
            ("a/b", "file"),
            ("./a", "file"),
            ("plain", "file"),
            ("folder", "module"),
            ("tools.commands", "module"),
            ("tools", "module"),
            ("a.toml", "declared"),
            ("a/b.json", "declared"),
            (".py", "file"),
        ] {
            assert_eq!(kind(word), expected, "{word}");
        }
        let source = Source::of("a/b", Path::new("/w"));
        assert_eq!((source.given(), source.file()), ("a/b".to_owned(), Some(Path::new("/w/a/b"))));
    }
}
