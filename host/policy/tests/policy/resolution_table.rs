//! The tables of `contract: policy §6 and §7`, row by row.

use abxd_policy::{AuditMode, PolicySet, Symlinks};
use serde_json::json;

use crate::support::{resolve, rule, try_resolve};

/// What a row expects of an endpoint.
enum Is {
    On,
    Off(&'static str),
}
use Is::{Off, On};

fn check(row: &str, policy: &PolicySet, expected: &[(&str, Is)]) {
    for (id, is) in expected {
        let rule = rule(policy, id);
        let origin = rule.origin().map(|origin| origin.rule.as_str());
        match is {
            On => assert_eq!(origin, None, "{row}: {id}"),
            Off(by) => assert_eq!(origin, Some(*by), "{row}: {id}"),
        }
        assert_eq!(rule.is_enabled(), origin.is_none(), "{row}: {id}");
    }
}

type Row = (&'static str, &'static [(&'static str, bool)], &'static str, &'static [(&'static str, Is)]);

/// Document, switches of code, `ABX_SERVER_ENABLED_GROUPS`, and what comes of it.
const ROWS: &[Row] = &[
    ("{}", &[], "", &[("code_run", Off("default:opt-in:dev_tools")), ("shell", On), ("health", On)]),
    ("{}", &[], "dev_tools, core,,", &[("code_run", On), ("browser_pdf", Off("default:opt-in:browser"))]),
    ("{}", &[("process", false)], "", &[("shell", Off("code:enable_group:process"))]),
    (r#"{"groups":["process"]}"#, &[("process", false)], "", &[("shell", On)]),
    ("{}", &[("process", false)], "process", &[("shell", On)]),
    (r#"{"groups":{"process":false}}"#, &[], "process", &[("shell", On)]),
    (r#"{"endpoints":{"shell*":{"enabled":false}}}"#, &[], "process", &[("shell", Off("policy:endpoints.shell*"))]),
    (r#"{"preset":"read-only"}"#, &[], "process", &[("shell", On), ("files_delete", Off("preset:read-only"))]),
    (r#"{"preset":"read-only"}"#, &[], "", &[("code_run", Off("preset:read-only"))]),
    (r#"{"preset":"transfer-only"}"#, &[], "process", &[("shell", Off("preset:transfer-only"))]),
    (
        r#"{"preset":"transfer-only","endpoints":{"shell*":{"enabled":true}}}"#,
        &[],
        "",
        &[("shell", On), ("process_list", Off("preset:transfer-only"))],
    ),
    (
        r#"{"endpoints":{"files_*":{"enabled":true},"*_list":{"enabled":false}}}"#,
        &[],
        "",
        &[("files_list", Off("policy:endpoints.*_list")), ("files_stat", On)],
    ),
    (
        r#"{"endpoints":{"files_*":{"enabled":false},"*":{"enabled":false},"*_list":{"enabled":false}}}"#,
        &[],
        "",
        &[("files_list", Off("policy:endpoints.*"))],
    ),
    (
        r#"{"defaults":{"enabled":false}}"#,
        &[],
        "",
        &[("shell", Off("policy:defaults")), ("code_run", Off("default:opt-in:dev_tools"))],
    ),
    (r#"{"defaults":{"enabled":false},"groups":["process"]}"#, &[], "", &[("shell", On)]),
    (
        r#"{"groups":{"process":false},"endpoints":{"group:process":{"enabled":true}}}"#,
        &[],
        "",
        &[("shell", Off("policy:groups.process"))],
    ),
    (
        r#"{"endpoints":{"*":{"enabled":false}}}"#,
        &[],
        "",
        &[("health", On), ("capabilities", On), ("capabilities_check", On), ("shell", Off("policy:endpoints.*"))],
    ),
    (r#"{"endpoints":{"@defaults":{"enabled":false}}}"#, &[], "", &[("shell", Off("policy:endpoints.@defaults"))]),
    ("{}", &[("process", false), ("process", true)], "", &[("shell", On)]),
    ("{}", &[("dev_tools", true)], "", &[("code_run", On)]),
    ("{}", &[("core", true)], "", &[("health", On)]),
];

#[test]
fn the_switching_table() {
    for (json, code, groups, expected) in ROWS {
        let policy = try_resolve(json, code, groups).unwrap_or_else(|error| panic!("{json}: {error}"));
        check(&format!("{json} code {code:?} env {groups:?}"), &policy, expected);
    }
}

#[test]
fn audit_of_the_longer_literal_prefix_wins_in_either_order() {
    for json in [
        r#"{"endpoints":{"files_*":{"audit":"all"},"*":{"audit":"off"}}}"#,
        r#"{"endpoints":{"*":{"audit":"off"},"files_*":{"audit":"all"}}}"#,
    ] {
        let policy = resolve(json);
        assert_eq!(rule(&policy, "files_list").audit(), AuditMode::All, "{json}");
        assert_eq!(rule(&policy, "shell").audit(), AuditMode::Off, "{json}");
    }
}

#[test]
fn document_order_decides_between_equal_globs() {
    let policy = resolve(r#"{"endpoints":{"*_list":{"audit":"off"},"*s_list":{"audit":"all"}}}"#);
    assert_eq!(rule(&policy, "files_list").audit(), AuditMode::All);
}

#[test]
fn the_merge_example() {
    let policy = resolve(
        r#"{
            "preset": "hardened",
            "defaults": {
                "limits": {"rate_per_minute": 5, "max_bytes": "1KB"},
                "params": {"deny_extensions": [".a"], "allow_extensions": [".x"]},
                "audit": "all"
            },
            "endpoints": {
                "group:file_ops": {
                    "paths": {"deny": ["*.g"], "read_only": true},
                    "params": {"deny_extensions": [".b", ".a"]}
                },
                "files_*": {"paths": {"allow": ["/a"], "deny": ["*.q", "*.g"]}, "limits": {"rate_per_minute": 7}},
                "*": {"limits": {"rate_per_minute": 9}, "audit": "off", "scopes": ["z"]},
                "files_upload_stream": {
                    "paths": {"allow": ["/b"], "read_only": false, "symlinks": "never"},
                    "params": {"allow_extensions": [], "deny_extensions": [".c"], "overwrite": false}
                }
            }
        }"#,
    );
    let rule = rule(&policy, "files_upload_stream");
    assert_eq!(rule.scopes().iter().map(|scope| scope.as_str()).collect::<Vec<_>>(), ["z"]);
    assert_eq!(rule.paths().allow(), ["/b"]);
    let deny: Vec<_> = rule.paths().deny().iter().map(|pattern| pattern.as_written()).collect();
    let expected = [
        "*.g",
        "/proc",
        "/sys",
        "/dev",
        "**/.ssh",
        "**/.env",
        "**/.env.*",
        "**/*.pem",
        "**/id_rsa*",
        "**/id_ed25519*",
        "*.q",
    ];
    assert_eq!(deny, expected);
    assert!(!rule.paths().read_only());
    assert_eq!(rule.paths().symlinks(), Symlinks::Never);
    assert_eq!(rule.limits().rate_per_minute(), Some(7));
    assert_eq!(rule.limits().max_bytes(), Some(1_000));
    assert_eq!(rule.audit(), AuditMode::Off);
    assert_eq!(policy.default_audit(), AuditMode::All);
    assert_eq!(
        serde_json::Value::Object(rule.params().to_json()),
        json!({"allow_extensions": [], "deny_extensions": [".a", ".b", ".c"], "overwrite": false}),
    );
    assert!(rule.params().admits_extension("x.txt") && !rule.params().admits_extension("x.B"));
    assert!(!rule.params().overwrite());
}

#[test]
fn presets_hold_what_their_table_says() {
    let off = |preset: &str, id: &str| {
        let policy = try_resolve(&format!(r#"{{"preset":"{preset}"}}"#), &[], "agents").expect("a preset");
        !rule(&policy, id).is_enabled()
    };
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("default", &["shell", "files_delete", "env_set", "pty_connect", "agents_sessions_create"], &["code_run"]),
        (
            "transfer-only",
            &["files_upload", "files_download", "files_upload_stream", "files_download_stream", "capabilities"],
            &["files_list", "shell", "system_info", "run_command", "agents_sessions_create"],
        ),
        (
            "read-only",
            &["files_list", "files_download", "run_command", "system_info", "agents_sessions_create"],
            &[
                "files_mkdir",
                "files_delete",
                "files_move",
                "files_upload",
                "files_upload_stream",
                "env_set",
                "shell",
                "pty_connect",
            ],
        ),
        (
            "hardened",
            &["files_delete", "files_upload", "run_command", "agents_sessions_create"],
            &["env_set", "shell", "process_list", "pty_connect", "code_run", "browser_pdf"],
        ),
        ("locked", &["list_commands", "run_command", "health"], &["files_list", "shell", "agents_sessions_create"]),
    ];
    for (preset, on, are_off) in rows {
        for id in *on {
            assert!(!off(preset, id), "{preset}: {id}");
        }
        for id in *are_off {
            assert!(off(preset, id), "{preset}: {id}");
        }
    }
}

#[test]
fn what_decided_inside_a_preset_stands_beside_its_name() {
    let policy = resolve(r#"{"preset":"read-only"}"#);
    let detail = |id: &str| rule(&policy, id).origin().and_then(|origin| origin.detail.clone());
    assert_eq!(detail("files_delete").as_deref(), Some("endpoints.files_delete"));
    assert_eq!(detail("shell").as_deref(), Some("groups.process"));
    let policy = resolve(r#"{"groups":{"process":false}}"#);
    assert_eq!(rule(&policy, "shell").origin().and_then(|origin| origin.detail.clone()), None);
}

#[test]
fn health_asks_for_nothing_and_the_other_two_keep_their_rules() {
    let policy = resolve(
        r#"{"defaults":{"scopes":["z"],"limits":{"rate_per_minute":1,"max_concurrency":1,"max_request_bytes":1}},
        "endpoints":{"health":{"enabled":false,"scopes":["x"],"limits":{"rate_per_minute":2}}}}"#,
    );
    let health = rule(&policy, "health");
    assert!(health.is_enabled() && health.scopes().is_empty() && health.limits().is_empty());
    let capabilities = rule(&policy, "capabilities");
    assert_eq!(capabilities.scopes().len(), 1);
    assert_eq!(capabilities.limits().rate_per_minute(), Some(1));
}

#[test]
fn the_default_audit_mode_is_the_last_defaults_layers() {
    let rows = [
        ("{}", AuditMode::Deny),
        (r#"{"defaults":{"audit":"off"}}"#, AuditMode::Off),
        (r#"{"defaults":{"audit":"off"},"endpoints":{"@defaults":{"audit":"all"}}}"#, AuditMode::All),
        (r#"{"preset":"hardened","defaults":{"enabled":true}}"#, AuditMode::Deny),
        (r#"{"endpoints":{"*":{"audit":"all"}}}"#, AuditMode::Deny),
    ];
    for (json, mode) in rows {
        assert_eq!(resolve(json).default_audit(), mode, "{json}");
    }
}

#[test]
fn rules_for_many_skip_what_an_endpoint_does_not_have() {
    let policy = resolve(
        r#"{"defaults":{"paths":{"read_only":true},"limits":{"max_bytes":5,"timeout_seconds":1.5},"params":{"overwrite":false}}}"#,
    );
    let list = rule(&policy, "files_list");
    assert!(list.paths().read_only() && list.limits().is_empty() && list.params().is_empty());
    let info = rule(&policy, "system_info");
    assert!(!info.paths().is_configured() && info.limits().is_empty());
    assert_eq!(rule(&policy, "shell").limits().timeout_seconds(), Some(1.5));
    assert_eq!(rule(&policy, "files_upload").limits().max_bytes(), Some(5));
}
