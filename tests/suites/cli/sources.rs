//! Where the policy comes from: the first source that applies (contract: policy §1).

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Program, Setup, wait};

/// What `check-config` makes of a call: the preset in force.
#[track_caller]
fn preset(program: &Program) -> String {
    let outcome = program.run();
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let header = outcome.stdout.lines().next().unwrap().to_owned();
    let names = ["default", "transfer-only", "read-only", "hardened", "locked"];
    names.into_iter().find(|name| header.contains(name)).unwrap().to_owned()
}

/// Each source with a preset of its own; taken away one by one, the next one counts.
#[test]
fn the_first_source_that_applies_counts() {
    let setup = Setup::new();
    let write = |name: &str, preset: &str| {
        let file = setup.place(name);
        fs::write(&file, json!({"preset": preset}).to_string()).unwrap();
        file
    };
    let (by_option, by_variable) = (write("option.json", "read-only"), write("variable.json", "hardened"));
    let inline = |program: Program| program.env("ABX_SERVER_POLICY", r#"{"preset": "locked"}"#);
    let variable = |program: Program| program.env("ABX_SERVER_POLICY_FILE", &by_variable);
    let check = || Program::abxd(["check-config"]);
    let all = || variable(inline(check()));

    assert_eq!(preset(&all().arg("--policy").arg(&by_option)), "read-only");
    assert_eq!(preset(&all().arg("--policy").arg(&by_option).arg("--preset").arg("transfer-only")), "transfer-only");
    assert_eq!(preset(&all().arg("--preset").arg("transfer-only")), "transfer-only");
    assert_eq!(preset(&all()), "locked");
    assert_eq!(preset(&all().env("ABX_SERVER_POLICY", "")), "hardened");
    assert_eq!(preset(&variable(check())), "hardened");
    assert_eq!(preset(&check().env("ABX_SERVER_POLICY_FILE", "")), "default");
    assert_eq!(preset(&check()), "default");
}

/// Sources are alternatives; only `--preset` goes into a document, and leaves the rest of it.
#[test]
fn sources_are_not_merged() {
    let setup = Setup::new();
    let file = setup.place("policy.json");
    let document = json!({"preset": "locked", "auth": {"anonymous_scopes": ["files:read"]}, "groups": ["process"]});
    fs::write(&file, document.to_string()).unwrap();
    let other = json!({"description": "not looked at", "nonsense": true}).to_string();
    let server =
        setup.env("ABX_SERVER_POLICY", other).arg("--policy").arg(&file).arg("--preset").arg("read-only").start();
    let seen = server.call(&server.request("GET", "/capabilities")).ok();
    assert_eq!(seen["policy"]["preset"], "read-only");
    assert_eq!(seen["identity"]["scopes"], json!(["files:read"]));
    assert_eq!(seen["endpoints"]["files_stat"]["enabled"], true);
}

/// The file of the image, in a mount namespace that has one.
#[test]
fn the_well_known_file_is_the_last_source() {
    let setup = Setup::new();
    fs::write(setup.place("policy.json"), r#"{"preset": "hardened"}"#).unwrap();
    let run = |make: &str, program: Program| {
        let script = format!("set -e; mount -t tmpfs tmpfs /etc; mkdir /etc/agent-sandbox; {make}; exec \"$@\"");
        program.under(["unshare", "--mount", "sh", "-c", &script, "sh"])
    };
    let policy = setup.place("policy.json");
    let copy = format!("cp '{}' /etc/agent-sandbox/server-policy.json", policy.display());
    let permitted = run("true", Program::abxd(["version"])).run();
    assert_eq!(permitted.code, Some(0), "this test needs `unshare --mount` and mount, which take root: {permitted:?}");
    let check = || Program::abxd(["check-config"]);
    assert_eq!(preset(&run(&copy, check())), "hardened");
    assert_eq!(preset(&run(&copy, check().env("ABX_SERVER_POLICY", r#"{"preset": "locked"}"#))), "locked");
    assert_eq!(preset(&run("mkdir /etc/agent-sandbox/server-policy.json", check())), "default");
    let broken = run("echo '{' > /etc/agent-sandbox/server-policy.json", check()).run();
    assert!(broken.one_line(1).contains("/etc/agent-sandbox/server-policy.json"), "{broken:?}");
}

/// The token of the environment is one more token of the document that is served, and none of the one that is checked.
#[test]
fn the_token_counts_for_the_revision_of_a_server_only() {
    let served = |setup: Setup| {
        let server = setup.start();
        let seen = server.call(&server.request("GET", "/capabilities")).ok();
        (seen["policy"]["revision"].as_str().unwrap().to_owned(), seen["policy"]["configured"].clone())
    };
    let open = ("2430f1a2ad2982d0".to_owned(), json!(false));
    assert_eq!(served(Setup::new()), open);
    assert_eq!(served(Setup::new().env("ABX_SERVER_TOKEN", "")), open);
    assert_eq!(served(Setup::new().with_token()), ("d1ef803dd4ff43bb".to_owned(), json!(true)));
    let checked = Program::abxd(["check-config", "--json"]).env("ABX_SERVER_TOKEN", "x").run();
    assert_eq!(serde_json::from_str::<Value>(&checked.stdout).unwrap()["revision"], "2430f1a2ad2982d0");
}

/// What bounds paths where no rule does: the policy's directory, else the option, else the variable.
#[test]
fn the_base_directory_has_an_order_too() {
    let folders = Setup::new();
    let bounded = |setup: Setup, place: &str| {
        let server = setup.start();
        for name in ["one", "two", "three"] {
            let answer = server.get("/files/stat", folders.place(name));
            assert_eq!(answer.status, if name == place { 200 } else { 403 }, "{name}, {place}: {answer:?}");
        }
    };
    let variable = || Setup::new().env("ABX_SERVER_BASE_DIR", folders.place("three"));
    bounded(variable(), "three");
    bounded(variable().arg("--base-dir").arg(folders.place("two")), "two");
    let policy = json!({"base_dir": folders.place("one")});
    bounded(variable().arg("--base-dir").arg(folders.place("two")).policy(&policy), "one");
}

/// A policy may come through a pipe at a start, and where it is only checked; a server that serves does not wait for one.
#[test]
fn a_policy_may_come_through_a_pipe() {
    let shell = |script: &str| ["bash", "-c", script, "bash"].map(str::to_owned);
    let through = r#"exec "$@" --policy <(sleep 0.1; echo '{"preset": "locked"}')"#;
    let piped = r#"echo '{"preset": "locked"}' | "$@" --policy /dev/stdin"#;
    let redirected = r#"exec "$@" --policy /dev/stdin < "$FILE""#;
    let setup = Setup::new();
    let file = setup.place("policy.json");
    fs::write(&file, r#"{"preset": "locked"}"#).unwrap();
    for script in [through, piped, redirected] {
        assert_eq!(
            preset(&Program::abxd(["check-config"]).env("FILE", &file).under(shell(script))),
            "locked",
            "{script}"
        );
    }
    let policy = r#"{"groups": ["file_ops"], "description": "one"}"#;
    let server = setup.under(shell(&format!(r#"exec "$@" --policy <(echo '{policy}')"#))).start();
    let description = || server.call(&server.request("GET", "/capabilities")).ok()["policy"]["configured"].clone();
    assert_eq!(description(), true);
    server.signal(rustix::process::Signal::HUP);
    wait::until_true("the pipe is refused", || {
        server
            .log
            .text()
            .lines()
            .any(|line| line.contains("not reloaded (SIGHUP)") && line.contains("not a regular file"))
    });
    assert_eq!(description(), true);
}

/// It is read to no more than a limit.
#[test]
fn a_policy_without_end_is_refused() {
    for file in ["/dev/zero", "/dev/null", "/"] {
        let outcome = Program::abxd(["check-config", "--policy", file]).run();
        assert_eq!(outcome.one_line(1), format!("abxd: {file}: not a regular file"));
    }
    let endless = ["bash", "-c", r#"exec "$@" --policy <(exec yes)"#, "bash"];
    let outcome = Program::abxd(["check-config"]).under(endless).run();
    assert!(outcome.one_line(1).ends_with(": larger than 16777216 bytes"), "{outcome:?}");
}
