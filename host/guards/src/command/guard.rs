//! The guard of one rule: judging a command line.

use std::path::Path;
use std::sync::Arc;

use abxd_command::MatchingView;

use super::checked::CheckedCommand;
use super::denial::CommandDenial;
use super::rule::CommandRule;
use crate::path::PathGuard;

/// Most words of a command line.
pub(super) const MAX_WORDS: usize = 256;
/// Longest word, in code points.
pub(super) const MAX_CHARACTERS: usize = 4096;

/// The command guard of one rule. Built once, shared, and free of state. The default admits every command.
#[derive(Clone, Debug, Default)]
pub struct CommandGuard {
    rule: CommandRule,
}

impl CommandGuard {
    /// The guard of `rule`.
    #[must_use]
    pub const fn new(rule: CommandRule) -> Self {
        Self { rule }
    }

    /// Judges the words of a command line that will run in `dir` (absolute, a real path). `paths` is the path guard of
    /// the same rule, for the words that `{path}` stands for.
    ///
    /// # Errors
    /// The first check that refuses, in the contract's order: the words' form, the deny list, the allow list, paths.
    pub fn check(
        &self,
        argv: Vec<String>,
        paths: &Arc<PathGuard>,
        dir: &Path,
    ) -> Result<CheckedCommand, CommandDenial> {
        accept(&argv)?;
        self.judge(&argv, paths, dir)?;
        Ok(CheckedCommand::new(argv))
    }

    fn judge(&self, argv: &[String], paths: &Arc<PathGuard>, dir: &Path) -> Result<(), CommandDenial> {
        let view = MatchingView::of(argv);
        if self.rule.deny.iter().any(|pattern| pattern.bind(&view).is_some()) {
            return Err(CommandDenial::Denied);
        }
        let Some(allow) = self.rule.allow.as_deref().filter(|allow| !allow.is_empty()) else {
            return if self.rule.allow_required { Err(CommandDenial::NoneAllowed) } else { Ok(()) };
        };
        // The first pattern that matches decides: a path it refuses is not tried against the next.
        let bound = allow.iter().find_map(|pattern| pattern.bind(&view)).ok_or(CommandDenial::NotAllowed)?;
        if view.is_split() && !bound.is_empty() {
            return Err(CommandDenial::GroupedFlags);
        }
        for word in bound {
            paths.check_argument(word.as_bytes(), dir)?;
        }
        Ok(())
    }
}

/// The form of the words, with or without lists.
fn accept(argv: &[String]) -> Result<(), CommandDenial> {
    if argv.is_empty() {
        return Err(CommandDenial::Empty);
    }
    if argv.len() > MAX_WORDS {
        return Err(CommandDenial::TooManyWords);
    }
    for word in argv {
        // There are never more characters than bytes.
        if word.len() > MAX_CHARACTERS && word.chars().count() > MAX_CHARACTERS {
            return Err(CommandDenial::TooLong);
        }
        if word.contains('\0') {
            return Err(CommandDenial::Nul);
        }
    }
    Ok(())
}
