//! Starts that fail for their commands: exit code 1 and one line with the file and the error (contract: cli).

use serde_json::json;

use crate::harness::Setup;

#[track_caller]
fn line(setup: &Setup) -> String {
    let outcome = setup.clone().arg("--log").arg("error").run();
    outcome.one_line(1).to_owned()
}

#[test]
fn what_is_wrong_is_named_with_its_file() {
    let setup = Setup::new();
    for (name, text, said) in [
        ("raises.py", "raise ValueError('no such\\nluck')", "ValueError: no such"),
        ("syntax.py", "def", "SyntaxError: "),
        ("imports.py", "import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        (
            "late.py",
            "from agent_sandbox.server import *\nstart()\ncommand('a')(print)",
            "RuntimeError: command 'a' comes too late: the server has been started",
        ),
        (
            "kind.py",
            "from agent_sandbox.server import *\ncommand('a', args=[CommandArg('x', 'date')])(print)",
            "ValueError: argument 'x': 'date' is no type; there are: string, integer, float, boolean, string_array",
        ),
        (
            "route.py",
            "from agent_sandbox.server import *\ndefault_table().route('POST', '/x/{y}', group=CapabilityGroup.CORE)(print)",
            "abxd serves no routes that code adds: POST /x/{y}",
        ),
        ("dies.py", "import os\nos._exit(0)", "the Python worker ended with exit code 0"),
        (
            "words.toml",
            "[[command]]\nname = 'a'\nrun = ['true', '{x}']",
            "command `a`: run: `{x}`: there is no argument `x`",
        ),
        (
            "program.json",
            r#"{"command": [{"name": "a", "run": ["no-such-program"]}]}"#,
            "command `a`: the program `no-such-program`: no such program",
        ),
        ("key.toml", "[[command]]\nnam = 'a'\n", "line 2: unknown field `nam`"),
    ] {
        let file = setup.keep(name, text);
        let line = line(&setup.clone().commands(&file));
        assert!(line.starts_with(&format!("abxd: --commands {}: {said}", file.display())), "{name}: {line}");
    }
}

#[test]
fn files_and_modules_that_are_not_there_are_named() {
    let setup = Setup::new();
    for (given, said) in [
        ("nope.py", "No such file or directory (os error 2)"),
        ("./nope", "No such file or directory (os error 2)"),
        ("nope.toml", "No such file or directory (os error 2)"),
        ("no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("no.such.module", "ModuleNotFoundError: No module named 'no'"),
    ] {
        assert_eq!(line(&setup.clone().commands(given)), format!("abxd: --commands {given}: {said}"));
    }
}

#[test]
fn without_an_interpreter_python_commands_say_so_and_others_are_served() {
    let setup = Setup::new().env("PATH", "/usr/sbin:/nowhere");
    let file = setup.keep("a.py", "");
    assert_eq!(
        line(&setup.clone().commands(&file)),
        format!("abxd: --commands {}: Python commands need the interpreter `python3`: no such program", file.display())
    );
    assert_eq!(
        line(&setup.clone().commands(&file).arg("--python").arg("/proc/self/exe")),
        format!(
            "abxd: --commands {}: the interpreter `/proc/self/exe`: no program may be started from /proc, /sys or /dev",
            file.display()
        )
    );
    let file = setup.keep("a.toml", "[[command]]\nname = 'a'\nrun = ['/bin/echo', 'x']\n");
    assert_eq!(setup.commands(&file).start().result("a"), "x\n");
}

#[test]
fn an_exit_in_a_file_is_the_servers() {
    let setup = Setup::new();
    for (line, code) in [("sys.exit(3)", 3), ("sys.exit('for this reason')", 1), ("sys.exit()", 0)] {
        let file = setup.keep("exit.py", format!("import sys\n{line}\n"));
        let outcome = setup.clone().commands(&file).run();
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        assert!(outcome.stderr.contains(file.to_str().unwrap()), "{outcome:?}");
        assert!(!line.contains("reason") || outcome.stderr.contains("for this reason"), "{outcome:?}");
    }
}

/// Commands come before the policy is resolved, and before anything listens.
#[test]
fn commands_are_loaded_before_the_policy_is_resolved() {
    let setup = Setup::new().policy(&json!({"endpoints": {"nope": {"enabled": false}}}));
    let file = setup.keep("a.py", "raise ValueError('first')\n");
    assert!(line(&setup.commands(&file)).contains("ValueError: first"));
}

/// The traceback is in the log, with the lines of the file.
#[test]
fn a_traceback_is_in_the_log() {
    let setup = Setup::new();
    let file = setup.keep("a.py", "def inner():\n    raise KeyError('deep')\ninner()\n");
    let outcome = setup.commands(&file).run();
    for line in ["Traceback (most recent call last):", "raise KeyError('deep')", "line 2, in inner"] {
        assert!(outcome.stderr.contains(line), "{outcome:?}");
    }
}

#[test]
fn several_files_are_loaded_in_order_wherever_they_stand() {
    let setup = Setup::new();
    let command =
        |name: &str| format!("from agent_sandbox.server import command\ncommand('{name}')(lambda: '{name}')\n");
    let (one, two) = (setup.keep("one.py", command("b")), setup.keep("two", command("a")));
    let server = setup.commands(&one).arg("--log").arg("info").commands(&two).start();
    assert_eq!(server.listed(), ["b", "a"]);
}

/// A server that is told to end while it still loads ends.
#[test]
fn a_signal_ends_a_start_that_hangs() {
    use std::process::Stdio;

    let setup = Setup::new();
    let mark = setup.place("mark");
    let text = format!(
        "import os, time\nopen({:?}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n",
        mark.display().to_string()
    );
    let file = setup.keep("a.py", text);
    let setup = setup.commands(&file);
    let mut command = setup.program().command();
    let mut server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let worker = crate::harness::wait::until("it loads", || std::fs::read_to_string(&mark).ok()?.parse().ok());
    let pid = rustix::process::Pid::from_raw(i32::try_from(server.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(!super::kit::is_alive(worker));
}
