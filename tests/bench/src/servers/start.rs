//! How each server is started: on the same files, under the same policy, with the same token.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::server::free_address;
use super::{Bed, Places, Reference, Server, ServerError, Subject};

/// Starts servers.
#[derive(Debug)]
pub struct Starter<'a> {
    /// Where the programs are.
    pub places: &'a Places,
    /// What they serve.
    pub bed: &'a Bed,
    /// The reference, where it is measured.
    pub reference: Option<&'a Reference>,
}

impl Starter<'_> {
    /// Start one server and wait until it answers.
    ///
    /// # Errors
    /// It does not run or does not answer, or it is the reference and there is none.
    pub fn start(&self, subject: Subject) -> Result<Server, ServerError> {
        self.start_under(subject, &self.bed.policy(), &[])
    }

    /// Start abxd under another policy and with more arguments, and wait until it answers.
    ///
    /// # Errors
    /// As [`Starter::start`].
    pub fn start_abxd(&self, policy: &Path, arguments: &[&OsStr]) -> Result<Server, ServerError> {
        self.start_under(Subject::Abxd, policy, arguments)
    }

    fn start_under(&self, subject: Subject, policy: &Path, arguments: &[&OsStr]) -> Result<Server, ServerError> {
        let (http, terminal) = (free_address()?, free_address()?);
        let program = self.program(subject)?;
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"ABX")) {
            command.env_remove(name);
        }
        command.env("ABX_SERVER_TOKEN", Bed::TOKEN).env("HOME", self.bed.home());
        let port = http.port().to_string();
        match subject {
            Subject::Abxd | Subject::Reference => {
                command.args(["serve", "--host", "127.0.0.1", "--port", &port, "--pty-port"]);
                command.arg(terminal.port().to_string()).arg("--policy").arg(policy).args(arguments);
            }
            Subject::Native => {
                command.args(["pipeline", "--port", &port, "--policy"]).arg(policy);
            }
            Subject::Spawn | Subject::Pty | Subject::Cdp => {}
            Subject::Stream => {
                command.args(["stream", "--port", &port, "--file"]).arg(self.bed.root().join("100.bin"));
            }
        }
        let log = self.bed.log(&format!("{subject:?}").to_lowercase());
        Server::start(subject, command, (http, terminal), &log)
    }

    /// All that can be started.
    ///
    /// # Errors
    /// As [`Starter::start`].
    pub fn start_all(&self) -> Result<Vec<Server>, ServerError> {
        let all = [Subject::Abxd, Subject::Native, Subject::Stream, Subject::Reference];
        let there = all.into_iter().filter(|subject| *subject != Subject::Reference || self.reference.is_some());
        there.map(|subject| self.start(subject)).collect()
    }

    fn program(&self, subject: Subject) -> Result<PathBuf, ServerError> {
        match (subject, self.reference) {
            (Subject::Abxd, _) => Ok(self.places.abxd.clone()),
            (Subject::Native | Subject::Stream, _) => Ok(self.places.native.clone()),
            (Subject::Reference, Some(reference)) => Ok(reference.program().to_owned()),
            (Subject::Reference, None) => {
                let detail = "it is not measured in this run".to_owned();
                Err(ServerError::Program { program: "the reference".into(), detail })
            }
            (Subject::Spawn | Subject::Pty | Subject::Cdp, _) => {
                let detail = "it is no server".to_owned();
                Err(ServerError::Program { program: subject.to_string().into(), detail })
            }
        }
    }
}
