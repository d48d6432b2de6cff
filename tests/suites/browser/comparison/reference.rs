//! The real Playwright, in a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::harness::checkout;

/// Names of the browser's program, in the order in which the server looks for them.
const NAMES: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"];

/// Playwright with a page. Dropping it ends it.
pub(super) struct Reference {
    child: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Reference {
    #[track_caller]
    pub(super) fn start() -> Self {
        let installed = std::env::var_os("ABXD_PLAYWRIGHT").expect("`cargo xtask test-browser` installs Playwright");
        let mut command = Command::new("node");
        command.arg(checkout().join("tests/playwright/reference.mjs"));
        command.env("ABXD_PLAYWRIGHT", installed).env("ABXD_CHROMIUM", chromium());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let pipes = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, pipes: Mutex::new(pipes) }
    }

    /// What it does for an endpoint: `{ok}`, or `{error, message}`.
    #[track_caller]
    pub(super) fn does(&self, operation: &str, body: &Value) -> Value {
        let (commands, answers) = &mut *self.pipes.lock().unwrap();
        writeln!(commands, "{}", json!({"operation": operation, "body": body})).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|cause| panic!("Playwright has ended: {cause}: {line:?}"))
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        // It closes its browser when there is nothing more to read, and ends; one that fails a test may be stuck.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn chromium() -> PathBuf {
    if let Some(named) = std::env::var_os("ABX_BROWSER_BIN").filter(|named| !named.is_empty()) {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let places = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file()).expect("Chromium is not installed")
}
