//! Servers with commands.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

impl Setup {
    /// Serve the commands of a Python file with this text.
    pub(super) fn python(self, text: &str) -> Self {
        let file = self.keep("commands.py", text);
        self.commands(file)
    }

    pub(super) fn commands(self, file: impl Into<PathBuf>) -> Self {
        self.arg("--commands").arg(file.into())
    }
}

impl Server {
    #[track_caller]
    pub(super) fn run(&self, name: &str, arguments: &Value) -> Answer {
        self.post(&format!("/commands/{name}"), arguments)
    }

    /// The result of a command without arguments.
    #[track_caller]
    pub(super) fn result(&self, name: &str) -> Value {
        self.run(name, &json!({})).ok()["result"].clone()
    }

    /// Names of the commands that are listed.
    #[track_caller]
    pub(super) fn listed(&self) -> Vec<String> {
        let answer = self.ask("/commands").ok();
        answer["commands"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// Whether a process is there and not a zombie.
pub(super) fn is_alive(pid: u64) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}
