//! PID namespaces, where the system lets us have them.

use std::process::Command;
use std::sync::LazyLock;

/// Words that make the program behind them the first process of a PID namespace, with a `/proc` of its own: as root, and
/// as anybody else where users may have namespaces.
const WORDS: [&[&str]; 2] = [
    &["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"],
    &["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"],
];

/// Those of them that work here, if any do.
pub(super) fn words() -> Option<&'static [&'static str]> {
    static WORKING: LazyLock<Option<&[&str]>> = LazyLock::new(|| {
        WORDS.into_iter().find(|words| {
            let output = Command::new(words[0]).args(&words[1..]).arg("true").output();
            output.is_ok_and(|output| output.status.success())
        })
    });
    *WORKING
}

/// The beginning of a command that runs the program behind it in the namespace of a process; none without namespaces.
pub(super) fn enter(pid: u32) -> Option<Command> {
    let words = words()?;
    let mut command = Command::new("nsenter");
    command.args(["--target", &pid.to_string(), "--pid", "--mount"]);
    if words.contains(&"--user") {
        command.args(["--user", "--preserve-credentials"]);
    }
    Some(command)
}
