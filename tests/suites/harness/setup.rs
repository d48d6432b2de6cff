//! What a server is to be started with.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::namespace;
use super::places::{abxd, is_root};
use super::ports::free_port;
use super::{Outcome, Program, Server};

/// The token of servers that have one.
pub(crate) const TOKEN: &str = "t0k-\u{e9}-of-the-suites";

/// A user that owns nothing.
const NOBODY: u32 = 65_534;

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
        let (port, pty_port) = (free_port(), free_port());
        let ports = [port, pty_port].map(|port| port.to_string());
        let setup = Self::alone(&["serve", "--host", "127.0.0.1", "--port", &ports[0], "--pty-port", &ports[1]]);
        Self { pty_port, ..setup.on_port(port) }
    }

    /// The folders, and a call with these arguments alone.
    pub(crate) fn alone(arguments: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("abxd-").tempdir().unwrap();
        let program = Program::abxd(arguments);
        let setup = Self { program, port: 0, pty_port: 0, token: None, folder: Arc::new(folder) };
        for folder in [setup.base(), setup.outside(), setup.place("home")] {
            std::fs::create_dir(folder).unwrap();
        }
        let (base, home) = (setup.base(), setup.place("home"));
        setup.env("ABX_SERVER_BASE_DIR", &base).env("HOME", &home).env("TMPDIR", home).in_dir(&base)
    }

    /// Where a call made by [`alone`](Self::alone) is expected to listen.
    pub(crate) fn on_port(self, port: u16) -> Self {
        Self { port, ..self }
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
    pub(crate) fn with_token(self) -> Self {
        self.with_token_of(TOKEN)
    }

    /// The same, with another token.
    pub(crate) fn with_token_of(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self.env("ABX_SERVER_TOKEN", token)
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

    /// As the first process of a PID namespace of its own. [`Server::inner_pid`] is its number outside.
    ///
    /// Where neither root nor users may have namespaces it is an ordinary server: orphans of its descendants come to it all
    /// the same, since it is a sub-reaper.
    pub(crate) fn with_pid_1(self) -> Self {
        match namespace::words() {
            Some(words) => self.under(words),
            None => self,
        }
    }

    /// Another program of the same kind.
    pub(crate) fn at(self, path: &Path) -> Self {
        Self { program: self.program.at(path), ..self }
    }

    /// Without root's powers, also where the tests have them.
    pub(crate) fn with_nobody(self) -> Self {
        if !is_root() {
            return self;
        }
        let folder = self.place("program");
        std::fs::create_dir_all(folder.join("builtin")).unwrap();
        // The checkout may be in a folder that nobody else may enter.
        for component in std::fs::read_dir(abxd().with_file_name("builtin")).unwrap() {
            let component = component.unwrap();
            std::fs::copy(component.path(), folder.join("builtin").join(component.file_name())).unwrap();
        }
        let program = folder.join("abxd");
        std::fs::copy(abxd(), &program).unwrap();
        std::fs::set_permissions(self.place(""), std::fs::Permissions::from_mode(0o755)).unwrap();
        for folder in [self.base(), self.place("home")] {
            chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        Self { program: self.program.at(&program).with_user(NOBODY), ..self }
    }

    /// The call itself.
    pub(crate) fn program(&self) -> &Program {
        &self.program
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
