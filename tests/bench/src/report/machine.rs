//! The machine and the versions that figures are of. Nothing that names the machine or its folders.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::servers::{Places, Reference, ServerError, VERSION};

/// Facts that a reader needs to judge figures.
#[derive(Clone, Debug)]
pub struct Machine {
    facts: Vec<(&'static str, String)>,
}

impl Machine {
    /// The facts of this machine, now.
    ///
    /// # Errors
    /// A server doesn't tell its version.
    pub fn look(places: &Places, reference: Option<&Reference>) -> Result<Self, ServerError> {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let mut facts = vec![
            ("cores", format!("{cores}, {}", line("/proc/cpuinfo", "model name"))),
            ("memory", line("/proc/meminfo", "MemTotal")),
            ("kernel", first_line("/proc/sys/kernel/osrelease")),
            ("load average before", load()),
            ("abxd", version(&places.abxd)?),
        ];
        if let Some(reference) = reference {
            facts.push(("reference", format!("agent-sandbox-server {VERSION}, {}", reference.python_version()?)));
        }
        Ok(Self { facts })
    }

    /// Add the load that there is now.
    pub fn ends(&mut self) {
        self.facts.push(("load average after", load()));
    }

    /// As a list.
    #[must_use]
    pub fn list(&self) -> String {
        self.facts.iter().map(|(name, value)| format!("- {name}: {value}\n")).collect()
    }
}

/// Over one minute, all programs of the machine counted.
fn load() -> String {
    first_line("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned()
}

fn first_line(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

/// The value of `key` in a file of lines with a colon.
fn line(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.split_once(':'));
    value.map_or_else(|| "not told".to_owned(), |(_, value)| value.trim().to_owned())
}

fn version(program: &Path) -> Result<String, ServerError> {
    let output = Command::new(program).arg("version").output().map_err(ServerError::files(program))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
