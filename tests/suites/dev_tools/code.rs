//! `code_run` (contract: dev_tools).

use serde_json::json;

use super::{enabled, ruled, run};
use crate::harness::{Nap, Setup, wait};

#[test]
fn the_group_is_off_until_it_is_asked_for() {
    let server = Setup::new().start();
    let refused = server.post("/code/run", &json!({"code": "1"})).refused(404, "endpoint_disabled");
    assert_eq!(refused["rule"], "default:opt-in:dev_tools");
}

#[test]
fn each_language_is_answered_with_exactly_the_contracts_keys() {
    let server = enabled().start();
    for (language, code, stdout, stderr, exit) in [
        ("python", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", "out\n", "err\n", 3),
        ("NODE", "console.log('out'); console.error('err'); process.exit(3)", "out\n", "err\n", 3),
        ("Bash", "echo out; echo err >&2; exit 3", "out\n", "err\n", 3),
        ("bash", "kill -9 $$", "", "", -9),
        ("python", " ", "", "", 0),
    ] {
        let answer = run(&server, language, code, &json!({"cwd": 5, "env": [], "stdin": "x"})).ok();
        let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = ["_security_note", "execution_time_ms", "exit_code", "language", "stderr", "stdout"];
        assert_eq!(
            {
                let mut keys = keys;
                keys.sort_unstable();
                keys
            },
            expected,
            "{language}"
        );
        assert_eq!(
            (&answer["stdout"], &answer["stderr"], &answer["exit_code"]),
            (&json!(stdout), &json!(stderr), &json!(exit))
        );
        assert_eq!(answer["language"], language.to_lowercase());
        assert!(!answer["_security_note"].as_str().unwrap().is_empty());
        assert!(answer["execution_time_ms"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn python_is_the_default_and_sees_itself_as_the_main_program() {
    let server = enabled().start();
    let code = "import sys, os; print(__name__, sys.argv, repr(sys.stdin.read()), os.getcwd())";
    let answer = server.post("/code/run", &json!({ "code": code })).ok();
    assert_eq!(answer["stdout"], format!("__main__ ['-c'] '' {}\n", server.base().display()));
}

#[test]
fn arguments_are_judged_in_the_contracts_order() {
    let server = ruled("code_run", &json!({"params": {"languages": ["Bash", "node"]}})).start();
    for body in [
        json!({}),
        json!({"code": ""}),
        json!({"code": ["x"], "language": "ruby"}),
        json!({"code": "1", "language": "ruby"}),
        json!({"code": "1", "language": ""}),
        json!({"code": "1", "language": null}),
        json!({"code": "a\u{0}b", "language": "python"}),
    ] {
        assert_eq!(server.post("/code/run", &body).failed_as(400, "ValueError").get("code"), None, "{body}");
    }
    run(&server, "python", "print(1)", &json!({})).refused(403, "language_not_allowed");
    server.post("/code/run", &json!({"code": "1"})).refused(403, "language_not_allowed");
    assert_eq!(run(&server, "BASH", "echo 1", &json!({})).ok()["stdout"], "1\n");
    let none = ruled("code_run", &json!({"params": {"languages": []}})).start();
    run(&none, "bash", "echo 1", &json!({})).refused(403, "language_not_allowed");
}

#[test]
fn output_is_cut_at_whole_characters_of_each_stream() {
    let server = ruled("code_run", &json!({"limits": {"max_output_bytes": 5}})).start();
    for (code, stdout, stderr, truncated) in [
        ("printf ab\u{6f22}\u{e9}", "ab\u{6f22}", "", true),
        ("printf 12345", "12345", "", false),
        ("printf 12345; printf 123456 >&2", "12345", "12345", true),
        ("yes | head -c 3000000; echo done >&2", "y\ny\ny", "done\n", true),
    ] {
        let answer = run(&server, "bash", code, &json!({})).ok();
        assert_eq!((&answer["stdout"], &answer["stderr"]), (&json!(stdout), &json!(stderr)), "{code}");
        assert_eq!(answer.get("truncated"), truncated.then_some(&json!(true)), "{code}");
        assert_eq!(answer["exit_code"], 0, "{code}");
    }
}

#[test]
fn a_timeout_is_told_with_what_was_said_until_then() {
    let server = enabled().start();
    let nap = Nap::new();
    let code = format!("echo out; printf 'e\\xff\"' >&2; {}", nap.command());
    let answer = run(&server, "bash", &code, &json!({"timeout": 1.9})).failed_as(408, "TimeoutError");
    assert_eq!((&answer["stdout"], &answer["stderr"]), (&json!("out\n"), &json!("e\u{fffd}\"")));
    assert_eq!((answer.get("code"), &answer["endpoint"]), (None, &json!("code_run")));
    nap.is_gone();
}

/// Whole seconds, and one at least.
#[test]
fn the_rule_cuts_the_time() {
    for seconds in [1.5, 0.2] {
        let server = ruled("code_run", &json!({"limits": {"timeout_seconds": seconds}})).start();
        let nap = Nap::new();
        let code = format!("echo begun; {}", nap.command());
        let answer = run(&server, "bash", &code, &json!({"timeout": 50})).failed_as(408, "TimeoutError");
        assert_eq!(answer["stdout"], "begun\n");
        nap.is_gone();
    }
}

#[test]
fn times_that_cannot_be_meant_are_the_usual_one() {
    let server = enabled().start();
    for timeout in [json!(0), json!("x"), json!(null), json!(-1), json!([]), json!(0.9)] {
        assert_eq!(run(&server, "bash", "sleep 0.05; echo 1", &json!({ "timeout": timeout })).ok()["stdout"], "1\n");
    }
}

#[test]
fn an_interpreter_that_is_not_there_is_told() {
    let setup = enabled();
    let bin = setup.place("bin");
    std::fs::create_dir(&bin).unwrap();
    let server = setup.env("PATH", &bin).start();
    for language in ["python", "node", "bash"] {
        run(&server, language, "1", &json!({})).failed_as(500, "FileNotFoundError");
    }
}

#[test]
fn an_interpreter_among_the_kernels_files_is_denied() {
    let server = enabled().env("PATH", "/proc/self/cwd/bin:/usr/bin:/bin").start();
    let bin = server.base().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink("/bin/bash", bin.join("bash")).unwrap();
    run(&server, "bash", "echo 1", &json!({})).refused(403, "process_denied");
}

#[test]
fn code_sees_what_was_set_and_no_secret() {
    let setup = enabled().env("PLAIN_NAME", "hush-hush");
    let policy = json!({"auth": {"tokens": [
        {"id": "a", "token_env": "PLAIN_NAME", "scopes": ["*"]},
        {"id": "b", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
    ]}});
    let server = setup.policy(&policy).with_token().start();
    server.post("/env", &json!({"vars": {"ABXD_SEEN": "yes"}})).ok();
    let answer = run(&server, "bash", "env", &json!({})).ok();
    let text = answer["stdout"].as_str().unwrap();
    assert!(text.contains("ABXD_SEEN=yes\n"), "{text}");
    for name in ["PLAIN_NAME=", "ABX_SERVER_TOKEN=", "ABX_SERVER_POLICY=", "hush-hush"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
}

/// The slot is held until the code has ended.
#[test]
fn one_run_at_a_time_where_the_rule_says_so() {
    let server = ruled("code_run", &json!({"limits": {"max_concurrency": 1}})).start();
    let nap = Nap::new();
    let body = json!({"language": "bash", "code": nap.command()});
    let mut connection = server.connect();
    connection.send(server.request("POST", "/code/run").json(&body).bytes());
    nap.begins();
    let refused = run(&server, "bash", "echo 1", &json!({})).refused(429, "concurrency_limited");
    assert_eq!(refused["retry_after"], 1);
    drop(connection);
    nap.is_gone();
    wait::until_true("the slot is free", || run(&server, "bash", "echo 1", &json!({})).status == 200);
}

/// A client that hangs up ends the code with all that it has started.
#[test]
fn a_client_that_leaves_ends_the_code() {
    let server = enabled().start();
    let nap = Nap::new();
    for code in
        [nap.command(), format!("(setsid {} &); sleep 60", nap.command()), format!("trap '' TERM; {}", nap.command())]
    {
        for half in [false, true] {
            let mut connection = server.connect();
            connection
                .send(server.request("POST", "/code/run").json(&json!({"language": "bash", "code": code})).bytes());
            nap.begins();
            if half {
                connection.end_writing()
            } else {
                drop(connection)
            }
            nap.is_gone();
        }
    }
}

/// A child in the background is not waited for, and lives on.
#[test]
fn a_background_child_lives_on() {
    let server = enabled().start();
    let nap = Nap::new();
    let answer = run(&server, "bash", &format!("{} & echo hi", nap.command()), &json!({})).ok();
    assert_eq!((&answer["stdout"], &answer["exit_code"]), (&json!("hi\n"), &json!(0)));
    assert_eq!(nap.sleepers().len(), 1);
}
