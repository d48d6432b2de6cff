//! A program run to its end.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::wait::{self, PATIENCE};

/// What a program left.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Outcome {
    /// Run a program. One that does not end in time is killed, and the test fails.
    #[track_caller]
    pub(crate) fn of(command: &mut Command) -> Self {
        let begin = Instant::now();
        let shown = format!("{command:?}");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = wait::spawned(command);
        let stdout = collect(child.stdout.take().unwrap());
        let stderr = collect(child.stderr.take().unwrap());
        let status = ended(&mut child);
        if status.is_none() {
            let _ = child.kill();
        }
        let code = status.unwrap_or_else(|| panic!("{shown} did not end in {} s", PATIENCE.as_secs())).code();
        Self { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), took: begin.elapsed() }
    }

    /// The single line of an error that ends the program with this code.
    #[track_caller]
    pub(crate) fn one_line(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.ends_with('\n'), "{self:?}");
        self.stderr.trim_end()
    }
}

fn collect(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn ended(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    wait::until("a program ends", || match child.try_wait().unwrap() {
        Some(status) => Some(Some(status)),
        None if Instant::now() > end => Some(None),
        None => None,
    })
}
