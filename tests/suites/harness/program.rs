//! A call of the program with an environment of its own.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::outcome::Outcome;
use super::places;

/// One call, being put together.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// Words before the program, such as `unshare --pid --fork`.
    wrapper: Vec<OsString>,
    path: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    user: Option<u32>,
}

impl Program {
    /// The server's program, called with these arguments.
    pub(crate) fn abxd<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Self {
        Self {
            wrapper: Vec::new(),
            path: places::abxd().to_owned(),
            arguments: arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect(),
            variables: Vec::new(),
            directory: None,
            user: None,
        }
    }

    /// Another program of the same kind.
    pub(crate) fn at(mut self, path: &Path) -> Self {
        self.path = path.to_owned();
        self
    }

    pub(crate) fn under<A: AsRef<OsStr>>(mut self, words: impl IntoIterator<Item = A>) -> Self {
        self.wrapper = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
        self
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Set a variable. The last value counts.
    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    pub(crate) fn in_dir(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// As another user, without groups. Takes root.
    pub(crate) fn with_user(mut self, user: u32) -> Self {
        self.user = Some(user);
        self
    }

    /// The call. Of the tests' own environment it gets `PATH` only.
    pub(crate) fn command(&self) -> Command {
        let mut words = self.wrapper.iter().map(OsString::as_os_str).chain([self.path.as_os_str()]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(&self.arguments).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Run it to its end.
    #[track_caller]
    pub(crate) fn run(&self) -> Outcome {
        Outcome::of(&mut self.command())
    }
}
