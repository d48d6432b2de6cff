//! The form in which commands are declared, and what may be left out.

use std::time::Duration;

use serde::Deserialize;

use super::program::{Form, Program};
use super::template::{Part, Template};
use super::{DeclaredError, TemplateError};
use crate::argument::Argument;
use crate::registry::Command;
use crate::target::Host;

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    #[serde(default)]
    pub(super) command: Vec<Entry>,
}

/// One command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    #[serde(default)]
    name: String,
    run: Vec<Part>,
    #[serde(default)]
    args: Vec<Argument>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    scopes: Vec<String>,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    result: Form,
}

impl Document {
    pub(super) fn of_toml(text: &[u8]) -> Result<Self, DeclaredError> {
        let unreadable = |line, detail: &str| DeclaredError::Unreadable { line, detail: detail.to_owned() };
        let text = std::str::from_utf8(text).map_err(|_| unreadable(1, "the file is not UTF-8"))?;
        toml::from_str(text).map_err(|cause| {
            let before = cause.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            unreadable(before.matches('\n').count() + 1, cause.message())
        })
    }

    pub(super) fn of_json(text: &[u8]) -> Result<Self, DeclaredError> {
        serde_json::from_slice(text).map_err(|cause| {
            let words = cause.to_string();
            let detail = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words).to_owned();
            DeclaredError::Unreadable { line: cause.line(), detail }
        })
    }
}

impl Entry {
    /// The command, if it can be. `number` is its place in the file.
    pub(super) fn checked(self, number: usize, host: &Host) -> Result<Command<Program>, DeclaredError> {
        let Self { name, run, args: arguments, description, hidden, scopes, timeout, result } = self;
        if name.is_empty() {
            return Err(DeclaredError::Nameless { number });
        }
        for argument in &arguments {
            argument.check().map_err(|cause| DeclaredError::Argument { command: name.clone(), cause })?;
        }
        let template = |cause: TemplateError| DeclaredError::Template { command: name.clone(), cause };
        let template = Template::new(&run, &arguments).map_err(template)?;
        let timeout = match timeout {
            None => None,
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(timeout) if !timeout.is_zero() => Some(timeout),
                _ => return Err(DeclaredError::Timeout { command: name }),
            },
        };
        let target = Program::new(template, timeout, result, host.clone());
        Ok(Command { name, arguments, description, hidden, scopes, target })
    }
}
