//! What `GET /capabilities` shows of a policy (`contract: policy §9`).

use abxd_policy::Preset;
use serde_json::{Value, json};

use crate::support::{resolve, rule, try_resolve};

#[test]
fn groups_are_counted() {
    let policy = try_resolve(r#"{"endpoints":{"shell*":{"enabled":false}}}"#, &[], "browser").expect("a policy");
    let groups: Vec<_> = policy.groups().map(|group| (group.name, group.enabled, group.total, group.is_on())).collect();
    let expected = [
        ("core", 3, 3, true),
        ("commands", 2, 2, true),
        ("file_ops", 12, 12, true),
        ("process", 6, 8, true),
        ("terminal", 6, 6, true),
        ("system", 6, 6, true),
        ("dev_tools", 0, 3, false),
        ("browser", 8, 8, true),
        ("agents", 0, 70, false),
    ];
    assert_eq!(groups, expected);
}

#[test]
fn limits_and_params_are_shown_as_set() {
    let policy = resolve(
        r#"{"endpoints":{"shell":{"limits":{"max_output_bytes":"1KiB","timeout_seconds":2.0,"rate_per_minute":3},
            "params":{"allow_commands":["ls ..."],"deny_commands":[]}},"process_signal":{"params":{"allowed_signals":[15,9]}},
            "env_get":{"params":{"deny_vars":["A*"]}}}}"#,
    );
    let shell = rule(&policy, "shell");
    let limits = json!({"max_output_bytes": 1024, "rate_per_minute": 3, "timeout_seconds": 2.0});
    assert_eq!(Value::Object(shell.limits().to_json()), limits);
    let params = json!({"allow_commands": ["ls ..."], "deny_commands": []});
    assert_eq!(Value::Object(shell.params().to_json()), params);
    let signals = rule(&policy, "process_signal").params().to_json();
    assert_eq!(Value::Object(signals), json!({"allowed_signals": [15, 9]}));
    assert_eq!(Value::Object(rule(&policy, "env_get").params().to_json()), json!({"deny_vars": ["A*"]}));
    assert!(rule(&policy, "files_list").limits().to_json().is_empty());
}

#[test]
fn deny_patterns_are_counted_and_never_shown() {
    let policy = resolve(
        r#"{"preset":"hardened","endpoints":{"files_list":{"paths":{"allow":["/srv/"],"deny":["/proc","x"]}}}}"#,
    );
    let paths = rule(&policy, "files_list").paths().to_json();
    assert_eq!(paths, json!({"allow": ["/srv/"], "read_only": false, "deny_count": 10, "symlinks": "within"}));
}

#[test]
fn the_policy_names_itself() {
    let policy = resolve(r#"{"preset":"locked"}"#);
    assert_eq!(
        (policy.preset(), policy.revision(), policy.is_configured()),
        (Preset::Locked, "23044476048c9315", true)
    );
    let policy = resolve(r#"{"version":1}"#);
    assert_eq!(
        (policy.preset(), policy.revision(), policy.is_configured()),
        (Preset::Default, "2430f1a2ad2982d0", false)
    );
    assert_eq!(resolve(r#"{"base_dir":"/a/./b"}"#).base_dir(), Some("/a/./b"));
}
