//! The processes of the machine at one moment, as far as `/proc` tells (`proc_pid_stat(5)`).

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};

use super::chase::newest;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::process) struct Row {
    pub(in crate::process) pid: i32,
    pub(in crate::process) parent: i32,
    pub(in crate::process) group: i32,
    pub(in crate::process) session: i32,
    /// When it began, in ticks since the machine did. With the pid it names a process for good.
    pub(in crate::process) begun: u64,
    state: u8,
    threads: i32,
}

impl Row {
    /// As it is now.
    pub(in crate::process) fn read(pid: i32) -> Option<Self> {
        let mut text = Vec::with_capacity(512);
        fs::File::open(format!("/proc/{pid}/stat")).ok()?.read_to_end(&mut text).ok()?;
        Self::parse(pid, &text)
    }

    /// The name stands in parentheses and may have any bytes in it, so what counts begins after the last one.
    fn parse(pid: i32, text: &[u8]) -> Option<Self> {
        let end = text.iter().rposition(|byte| *byte == b')')?;
        let mut fields = std::str::from_utf8(text.get(end + 1..)?).ok()?.split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        let mut number = |skipped: usize| fields.nth(skipped)?.parse::<i64>().ok();
        let parent = number(0)?;
        let group = number(0)?;
        let session = number(0)?;
        let threads = number(13)?;
        let begun = number(1)?;
        let small = |number: i64| i32::try_from(number).ok();
        Some(Self {
            pid,
            parent: small(parent)?,
            group: small(group)?,
            session: small(session)?,
            begun: u64::try_from(begun).ok()?,
            state,
            threads: small(threads)?,
        })
    }

    /// Whether it still runs or could. A process whose first thread has ended looks dead, but the others go on.
    pub(in crate::process) const fn is_alive(&self) -> bool {
        !self.is_ended() || self.threads > 1
    }

    const fn is_ended(&self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }

    /// Whether a stop signal has taken effect.
    pub(in crate::process) const fn is_stopped(&self) -> bool {
        matches!(self.state, b'T' | b't')
    }
}

/// All processes.
#[derive(Debug)]
pub(in crate::process) struct Table {
    rows: HashMap<i32, Row>,
    is_exact: bool,
}

impl Table {
    /// Reads them. Takes some microseconds for each.
    ///
    /// # Errors
    /// `/proc` can't be read.
    pub(in crate::process) fn read() -> io::Result<Self> {
        let before = newest();
        let entries = fs::read_dir("/proc")?;
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let rows = pids.filter_map(Row::read).map(|row| (row.pid, row)).collect();
        Ok(Self { rows, is_exact: before.is_some() && before == newest() })
    }

    /// Whether no process began while they were read, so that none can have been missed.
    pub(in crate::process) const fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Everything below a process, parents before their children.
    pub(in crate::process) fn below(&self, root: i32) -> Vec<Row> {
        let mut children: HashMap<i32, Vec<Row>> = HashMap::new();
        for row in self.rows.values() {
            children.entry(row.parent).or_default().push(*row);
        }
        let mut found = children.remove(&root).unwrap_or_default();
        let mut next = 0;
        while let Some(row) = found.get(next) {
            if let Some(more) = children.remove(&row.pid) {
                found.extend(more);
            }
            next += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn a_name_with_parentheses_and_spaces_is_no_field() {
        let text = b"7 (a) S 1 (b) T 5 6 7 0 -1 0 1 2 3 4 5 6 7 8 20 0 3 0 99 1000\n";
        let row = Row::parse(7, text).unwrap();
        assert_eq!((row.parent, row.group, row.session, row.threads, row.begun), (5, 6, 7, 3, 99));
        assert!(row.is_stopped());
    }

    #[test]
    fn a_process_whose_first_thread_has_ended_is_alive() {
        let row = |threads: i32| Row { pid: 1, parent: 0, group: 1, session: 1, begun: 0, state: b'Z', threads };
        assert!(row(2).is_alive());
        assert!(!row(1).is_alive());
    }

    #[test]
    fn this_process_is_found_as_it_is() {
        let own = std::process::id().cast_signed();
        let row = Row::read(own).unwrap();
        assert_eq!(row.parent, std::os::unix::process::parent_id().cast_signed());
        assert!(row.is_alive());
    }
}
