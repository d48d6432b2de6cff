//! A command line that passed the guard.

/// A command line that passed [`super::CommandGuard::check`]: at least one word, none with a NUL character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedCommand {
    argv: Vec<String>,
}

impl CheckedCommand {
    pub(super) const fn new(argv: Vec<String>) -> Self {
        Self { argv }
    }

    /// The words, the program's first, as they were given.
    #[must_use]
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    /// The words, for whoever starts the command.
    #[must_use]
    pub fn into_argv(self) -> Vec<String> {
        self.argv
    }
}
