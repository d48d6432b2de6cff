//! What a server is to be started with.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::ports::free_port;
use super::{Outcome, Program, Server};

/// The token of servers that have one.
pub(crate) const TOKEN: &str = "t0k-\u{e9}-of-the-suites";

/// Settings of a server, and the folders that it is to work in.
///
/// Without any it is open to everybody, has an empty policy, and serves files below [`base`](Self::base).
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(super) program: Program,
    pub(super) port: u16,
    pub(super) pty_port: u16,
    pub(super) token: Option<String>,
    pub(super) folder: Arc<TempDir>,
}

impl Setup {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("abxd-").tempdir().unwrap();
        let (port, pty_port) = (free_port(), free_port());
        let program = Program::abxd(["serve", "--host", "127.0.0.1"]);
        let program = program.arg("--port").arg(port.to_string()).arg("--pty-port").arg(pty_port.to_string());
        let setup = Self { program, port, pty_port, token: None, folder: Arc::new(folder) };
        for folder in [setup.base(), setup.outside(), setup.place("home")] {
            std::fs::create_dir(folder).unwrap();
        }
        let (base, home) = (setup.base(), setup.place("home"));
        setup.env("ABX_SERVER_BASE_DIR", &base).env("HOME", home).in_dir(&base)
    }

    /// The boundary of every path.
    pub(crate) fn base(&self) -> PathBuf {
        self.place("base")
    }

    /// A folder that no request may see.
    pub(crate) fn outside(&self) -> PathBuf {
        self.place("outside")
    }

    /// A place for the test's own files, beside the boundary.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// One token that may do everything.
    pub(crate) fn with_token(mut self) -> Self {
        self.token = Some(TOKEN.to_owned());
        self.env("ABX_SERVER_TOKEN", TOKEN)
    }

    pub(crate) fn policy(self, document: &Value) -> Self {
        self.env("ABX_SERVER_POLICY", document.to_string())
    }

    pub(crate) fn arg(self, argument: impl AsRef<OsStr>) -> Self {
        Self { program: self.program.arg(argument), ..self }
    }

    pub(crate) fn env(self, name: &str, value: impl AsRef<OsStr>) -> Self {
        Self { program: self.program.env(name, value), ..self }
    }

    pub(crate) fn in_dir(self, directory: &Path) -> Self {
        Self { program: self.program.in_dir(directory), ..self }
    }

    /// Run the program through another one.
    pub(crate) fn under<A: AsRef<OsStr>>(self, words: impl IntoIterator<Item = A>) -> Self {
        Self { program: self.program.under(words), ..self }
    }

    /// Another program of the same kind.
    pub(crate) fn at(self, path: &Path) -> Self {
        Self { program: self.program.at(path), ..self }
    }

    /// Start, and wait until it answers.
    #[track_caller]
    pub(crate) fn start(&self) -> Server {
        Server::start(self)
    }

    /// Start a server that is expected to refuse.
    #[track_caller]
    pub(crate) fn run(&self) -> Outcome {
        self.program.run()
    }
}
