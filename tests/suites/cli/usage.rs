//! Commands and options as such.

use crate::harness::{Outcome, Program, abxd_version};

fn run(arguments: &[&str]) -> Outcome {
    Program::abxd(arguments).run()
}

#[test]
fn version_is_one_line() {
    let outcome = run(&["version"]);
    assert_eq!((outcome.code, outcome.stdout, outcome.stderr.as_str()), (Some(0), format!("{}\n", abxd_version()), ""));
}

/// What is no call of the program: exit code 2, and how it is meant on stderr.
#[test]
fn malformed_calls_show_the_usage() {
    for arguments in [
        &["--port", "9100"][..],
        &["--version"],
        &["nonsense"],
        &["serve", "--nonsense"],
        &["serve", "extra"],
        &["serve", "--port"],
        &["serve", "--port", "x"],
        &["serve", "--port", "9000.0"],
        &["serve", "--pty-port", "x"],
        &["serve", "--host"],
        &["healthcheck", "--port", "x"],
        &["healthcheck", "--timeout", "x"],
        &["healthcheck", "--nonsense"],
        &["check-config", "--explain", "shell", "--op", "nonsense"],
        &["check-config", "--explain"],
        &["check-config", "--policy"],
        &["check-config", "extra"],
        &["version", "extra"],
    ] {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert!(outcome.stderr.contains("Usage:"), "{arguments:?}: {outcome:?}");
    }
}

#[test]
fn help_is_no_error() {
    for arguments in [
        &["-h"][..],
        &["--help"],
        &["serve", "-h"],
        &["serve", "--help"],
        &["healthcheck", "--help"],
        &["check-config", "--help"],
        &["version", "--help"],
    ] {
        let outcome = run(arguments);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(outcome.stdout.contains("Usage:"), "{arguments:?}: {outcome:?}");
    }
    for option in ["--host", "--port", "--pty-port", "--commands", "--policy", "--preset", "--base-dir"] {
        assert!(run(&["serve", "--help"]).stdout.contains(option), "{option}");
    }
}
