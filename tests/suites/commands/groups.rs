//! Groups that a commands file turns on and off (contract: policy §5, rank 1).

use serde_json::{Value, json};

use crate::harness::{Program, Server, Setup};

fn python(lines: &str) -> String {
    format!("from agent_sandbox.server import CapabilityGroup, default_table\ntable = default_table()\n{lines}\n")
}

fn entry(server: &Server, endpoint: &str) -> Value {
    server.ask("/capabilities").ok()["endpoints"][endpoint].clone()
}

#[test]
fn code_switches_groups_below_preset_and_policy() {
    let off = "table.disable_group(CapabilityGroup.SYSTEM)";
    for (lines, policy, groups, endpoint, rule) in [
        (off, json!({}), "", "ports", Some("code:enable_group:system")),
        (off, json!({"groups": ["system"]}), "", "ports", None),
        (off, json!({}), "system", "ports", None),
        ("table.enable_group('browser')", json!({}), "", "browser_navigate", None),
        (
            "table.enable_group('browser')",
            json!({"preset": "hardened"}),
            "",
            "browser_navigate",
            Some("preset:hardened"),
        ),
        (
            "table.enable_group('browser')\ntable.disable_group('browser')",
            json!({}),
            "",
            "browser_navigate",
            Some("code:enable_group:browser"),
        ),
        ("table.enable_group(CapabilityGroup.CORE)", json!({}), "", "health", None),
    ] {
        let setup = Setup::new().python(&python(lines)).policy(&policy).env("ABX_SERVER_ENABLED_GROUPS", groups);
        let server = setup.start();
        assert_eq!(entry(&server, endpoint)["rule"], json!(rule), "{lines} {policy} {groups}");
    }
}

#[test]
fn a_disabled_group_answers_with_the_code_that_did_it() {
    let server = Setup::new().python(&python("table.disable_group('commands')")).start();
    let body = server.ask("/commands").refused(404, "endpoint_disabled");
    assert_eq!(body["rule"], "code:enable_group:commands");
    assert_eq!(server.ask("/capabilities").ok()["groups"]["commands"], false);
}

#[test]
fn groups_that_are_not_there_and_core_keep_the_server_from_starting() {
    for (lines, said) in [
        ("table.enable_group('brwser')", "a commands file switches the unknown group `brwser`"),
        ("table.disable_group('core')", "a commands file disables the group `core`"),
    ] {
        let outcome = Setup::new().python(&python(lines)).run();
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.stderr.contains(said), "{outcome:?}");
    }
}

#[test]
fn check_config_counts_what_code_decides() {
    let setup = Setup::new();
    let file = setup.keep("commands.py", python("table.disable_group('system')"));
    let check = || Program::abxd(["check-config", "--commands"]).arg(&file).in_dir(&setup.base());
    let outcome = check().arg("--json").run();
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let rows = report["endpoints"].as_array().unwrap();
    let row = rows.iter().find(|row| row["endpoint"] == "ports").unwrap();
    assert_eq!(row["rule"], "code:enable_group:system");
    assert_eq!(check().arg("--explain").arg("ports").run().code, Some(3));
    let missing = Program::abxd(["check-config", "--commands", "nope.py"]).in_dir(&setup.base()).run();
    assert!(missing.one_line(1).contains("--commands nope.py: No such file"), "{missing:?}");
}

/// A reload reads the policy and the plugins again, and commands never.
#[test]
fn a_reload_keeps_commands_and_what_they_decided() {
    let setup = Setup::new();
    let policy = setup.keep("policy.json", "{}");
    let text =
        python("from agent_sandbox.server import command\ncommand('a')(lambda: 1)\ntable.disable_group('system')");
    let file = setup.keep("commands.py", text);
    let server = setup.clone().commands(&file).arg("--policy").arg(&policy).start();
    assert_eq!(server.result("a"), 1);
    std::fs::write(&file, "raise SystemExit(3)\n").unwrap();
    std::fs::write(&policy, json!({"groups": {"browser": true}}).to_string()).unwrap();
    server.signal(rustix::process::Signal::HUP);
    crate::harness::wait::until_true("the policy is in force", || {
        server.ask("/capabilities").ok()["groups"]["browser"] == true
    });
    assert_eq!(server.result("a"), 1);
    assert_eq!(entry(&server, "ports")["rule"], "code:enable_group:system");
}

/// The files with commands are the server's own (decision D44).
#[test]
fn commands_files_are_out_of_callers_reach() {
    let setup = Setup::new();
    let file = setup.base().join("commands.py");
    std::fs::write(&file, "from agent_sandbox.server import command\ncommand('a')(lambda: 1)\n").unwrap();
    let server = setup.commands(&file).start();
    server.upload(&file, "raise SystemExit(1)\n").refused(403, "path_denied");
    server.get("/files/stat", &file).refused(403, "path_denied");
}
