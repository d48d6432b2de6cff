//! Commands that a file declares: programs, with arguments in their words.
//!
//! No shell is involved. Each word is what the template makes of it, whatever is in the values.

mod document;
mod program;
mod template;

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::argument::ArgumentError;
use crate::registry::Command;
use crate::target::{Host, Target};
use document::Document;
pub use program::Program;
pub use template::TemplateError;

/// Why a file declares no commands.
#[derive(Debug, Error)]
pub enum DeclaredError {
    /// Syntax, types, unknown keys.
    #[error("line {line}: {detail}")]
    Unreadable {
        /// Counted from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A command without a name.
    #[error("command {number} has no name")]
    Nameless {
        /// Counted from 1.
        number: usize,
    },
    /// An argument of a command can't be.
    #[error("command `{command}`: {cause}")]
    Argument {
        /// The command.
        command: String,
        /// What is wrong.
        cause: ArgumentError,
    },
    /// Its words can't be.
    #[error("command `{command}`: run: {cause}")]
    Template {
        /// The command.
        command: String,
        /// What is wrong.
        cause: TemplateError,
    },
    /// A time limit that is none.
    #[error("command `{command}`: timeout: expected a number of seconds above 0")]
    Timeout {
        /// The command.
        command: String,
    },
    /// Its program can't be run.
    #[error("command `{command}`: the program `{program}`: {cause}")]
    Program {
        /// The command.
        command: String,
        /// The program.
        program: String,
        /// Why.
        cause: String,
    },
}

/// The commands of a file, JSON by its name or TOML, once each of their programs has been looked up.
///
/// # Errors
/// See [`DeclaredError`].
pub(crate) async fn parse(file: &Path, text: &[u8], host: &Host) -> Result<Vec<Command<Target>>, DeclaredError> {
    let is_json = file.extension().is_some_and(|extension| extension == "json");
    let document = if is_json { Document::of_json(text)? } else { Document::of_toml(text)? };
    let mut commands = Vec::new();
    for (index, entry) in document.command.into_iter().enumerate() {
        let command = entry.checked(index + 1, host)?;
        command.target.exists().await.map_err(|cause| DeclaredError::Program {
            command: command.name.clone(),
            program: command.target.name().to_owned(),
            cause: cause.to_string(),
        })?;
        commands.push(command.map(|program| Target::Program(Arc::new(program))));
    }
    Ok(commands)
}
