//! What a server writes on stderr, line by line.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::Value;

use super::wait::PATIENCE;

/// Lines as they come. Cheap to copy.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<String>,
    closed: bool,
}

impl Log {
    /// Collect to the end of the stream.
    pub(crate) fn of(from: impl Read + Send + 'static) -> Self {
        let log = Self::default();
        let writer = log.clone();
        thread::spawn(move || {
            for line in BufReader::new(from).split(b'\n') {
                let Ok(line) = line else { break };
                writer.0.state.lock().unwrap().lines.push(String::from_utf8_lossy(&line).into_owned());
                writer.0.changed.notify_all();
            }
            writer.0.state.lock().unwrap().closed = true;
            writer.0.changed.notify_all();
        });
        log
    }

    /// All lines so far.
    pub(crate) fn text(&self) -> String {
        self.0.state.lock().unwrap().lines.join("\n")
    }

    /// All lines, once nothing holds the stream open any more.
    #[track_caller]
    pub(crate) fn whole(&self) -> Vec<String> {
        self.wait("the log ends", |state| state.closed.then(|| state.lines.clone()))
    }

    /// The audit lines so far, once there are at least `count`.
    #[track_caller]
    pub(crate) fn audit(&self, count: usize) -> Vec<Value> {
        self.wait(&format!("{count} audit lines"), |state| {
            let lines = state.lines.iter().filter(|line| line.starts_with('{'));
            let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
            (lines.len() >= count).then_some(lines)
        })
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, mut find: impl FnMut(&State) -> Option<T>) -> T {
        let mut found = None;
        let state = self.0.state.lock().unwrap();
        let searching = |state: &mut State| {
            found = find(state);
            found.is_none()
        };
        let (state, _) = self.0.changed.wait_timeout_while(state, PATIENCE, searching).unwrap();
        found.unwrap_or_else(|| panic!("waited {} s: {what}; the log so far: {:#?}", PATIENCE.as_secs(), state.lines))
    }
}
