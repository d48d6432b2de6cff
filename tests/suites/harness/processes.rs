//! Processes of this machine, as the kernel shows them.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use super::wait;

/// A process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    /// `R`, `S`, `T`, `Z` and so on.
    pub(crate) state: char,
}

/// All that there are.
pub(crate) fn all() -> Vec<Process> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    pids.filter_map(look).collect()
}

/// One of them, while it is there.
pub(crate) fn look(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may have blanks and brackets in it.
    let mut fields = stat[stat.rfind(')')? + 2..].split(' ');
    let state = fields.next()?.chars().next()?;
    let mut number = || fields.next()?.parse().ok();
    Some(Process { pid, state, parent: number()?, group: number()?, session: number()? })
}

/// Every descendant of a process, those that were adopted too.
pub(crate) fn descendants(ancestor: u32) -> Vec<Process> {
    let all = all();
    let mut found: Vec<Process> = Vec::new();
    let mut known = vec![ancestor];
    while let Some(parent) = known.pop() {
        for child in all.iter().filter(|child| child.parent == parent) {
            known.push(child.pid);
            found.push(child.clone());
        }
    }
    found
}

/// The words that a process was started with; none once it has ended.
pub(crate) fn command_line(pid: u32) -> Vec<String> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut words: Vec<_> = words.collect();
    words.pop();
    words
}

/// A sleep that is unlike any other test's, and longer than any test waits. It ends by itself in the end, should a test
/// that fails leave it behind.
#[derive(Debug, Clone)]
pub(crate) struct Nap(String);

impl Nap {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(format!("61.{:07}{:04}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The command line, which a shell reads the same way.
    pub(crate) fn command(&self) -> String {
        format!("sleep {}", self.0)
    }

    /// The processes that sleep it.
    pub(crate) fn sleepers(&self) -> Vec<u32> {
        let is_it = |process: &Process| command_line(process.pid) == ["sleep", &self.0];
        all().iter().filter(|process| is_it(process)).map(|process| process.pid).collect()
    }

    /// Wait for somebody to sleep it.
    #[track_caller]
    pub(crate) fn begins(&self) -> u32 {
        wait::until("the sleep begins", || self.sleepers().first().copied())
    }

    /// Wait until nobody does any more.
    #[track_caller]
    pub(crate) fn is_gone(&self) {
        wait::until_true("the sleep is gone", || self.sleepers().is_empty());
    }
}
