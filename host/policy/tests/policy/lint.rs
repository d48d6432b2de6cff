//! Warnings L1 to L4 and the hints beside them (`contract: policy §11`).

use abxd_policy::lint;

use crate::support::{identities, resolve, try_resolve};

/// The ids of the warnings, in order.
fn ids(json: &str) -> Vec<String> {
    let warnings = lint(&resolve(json), &identities(json));
    let mut sorted = warnings.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(warnings, sorted, "sorted and unique");
    warnings.iter().map(|warning| warning.split_once(": ").expect("an id").0.to_owned()).collect()
}

fn tokens(rows: &[(&str, &str)]) -> String {
    let token = |(id, scopes): &(&str, &str)| format!(r#"{{"id":"{id}","scopes":{scopes},"token_env":"T{id}"}}"#);
    rows.iter().map(token).collect::<Vec<_>>().join(",")
}

#[test]
fn a_quiet_policy_has_no_warnings() {
    for json in ["{}", r#"{"preset":"read-only"}"#, r#"{"preset":"locked"}"#, r#"{"preset":"hardened"}"#] {
        assert!(ids(json).is_empty(), "{json}: {:?}", ids(json));
    }
}

#[test]
fn l1_path_rules_beside_a_shell() {
    for settings in [r#""allow":["/srv"]"#, r#""deny":["*.pem"]"#, r#""read_only":true"#, r#""symlinks":"never""#] {
        assert_eq!(ids(&format!(r#"{{"endpoints":{{"files_*":{{"paths":{{{settings}}}}}}}}}"#)), ["L1"], "{settings}");
    }
    assert_eq!(ids(r#"{"endpoints":{"shell":{"paths":{"allow":["/srv"]}}}}"#), ["L1"]);
    assert!(ids(r#"{"endpoints":{"files_*":{"paths":{"symlinks":"within","allow":[]}}}}"#).is_empty());
    assert!(ids(r#"{"groups":{"process":false},"endpoints":{"files_*":{"paths":{"read_only":true}}}}"#).is_empty());
}

#[test]
fn l1_counts_for_each_identity_by_its_scopes() {
    let json = |rows: &[(&str, &str)]| {
        let tokens = tokens(rows);
        format!(r#"{{"auth":{{"tokens":[{tokens}]}},"endpoints":{{"files_*":{{"paths":{{"read_only":true}}}}}}}}"#)
    };
    assert_eq!(ids(&json(&[("a", r#"["files:*","process:*"]"#)])), ["L1"]);
    assert_eq!(ids(&json(&[("a", r#"["files:*"]"#), ("b", r#"["process:*"]"#)])), [""; 0]);
    assert_eq!(
        ids(&json(&[("a", r#"["files:read","process:run"]"#), ("b", r#"["files:*","process:*"]"#)])),
        ["L1", "L1"]
    );
}

#[test]
fn l2_a_root_that_is_everything() {
    for path in ["/", "//", "/./", "/a/..", "/../"] {
        let json = format!(
            r#"{{"groups":{{"process":false}},"endpoints":{{"files_list":{{"paths":{{"allow":["/srv","{path}"]}}}}}}}}"#
        );
        assert_eq!(ids(&json), ["L2"], "{path}");
    }
    assert!(ids(r#"{"groups":{"process":false},"endpoints":{"files_list":{"paths":{"allow":["/a"]}}}}"#).is_empty());
}

#[test]
fn l3_everything_among_several_tokens() {
    let json = |rows: &[(&str, &str)]| format!(r#"{{"auth":{{"tokens":[{}]}}}}"#, tokens(rows));
    assert!(ids(&json(&[("a", r#"["*"]"#)])).is_empty());
    assert!(ids(&json(&[("a", r#"["files:*"]"#), ("b", "[]")])).is_empty());
    assert_eq!(ids(&json(&[("a", r#"["*"]"#), ("b", "[]")])), ["L3"]);
}

#[test]
fn l4_no_overwriting_but_anywhere() {
    assert_eq!(ids(r#"{"endpoints":{"files_upload":{"params":{"overwrite":false}}}}"#), ["L4"]);
    assert_eq!(ids(r#"{"defaults":{"params":{"overwrite":false}}}"#), ["L4", "L4"]);
    assert!(
        ids(r#"{"groups":{"process":false},"endpoints":{"files_upload":{"params":{"overwrite":false},"paths":{"allow":["/a"]}}}}"#)
            .is_empty()
    );
    assert!(ids(r#"{"defaults":{"params":{"overwrite":true}}}"#).is_empty());
}

#[test]
fn hints_name_what_was_surely_not_meant() {
    let hints = |json: &str, groups: &str| try_resolve(json, &[], groups).expect("a policy").hints().to_vec();
    assert!(hints("{}", "process").is_empty());
    assert!(hints(r#"{"preset":"hardened"}"#, "").is_empty());
    let rows = [
        (
            r#"{"preset":"transfer-only"}"#,
            "process",
            "env:ABX_SERVER_ENABLED_GROUPS:process: shell and 7 more stay off",
        ),
        (
            r#"{"groups":["process"],"endpoints":{"shell":{"enabled":false}}}"#,
            "",
            "policy:groups.process: shell stays off",
        ),
        (r#"{"defaults":{"paths":{"allow":["/srv/*"]}}}"#, "", "policy:defaults: `/srv/*` in paths.allow"),
        (r#"{"defaults":{"paths":{"deny":["*/../x"]}}}"#, "", "policy:defaults: `*/../x` in paths.deny"),
        (
            r#"{"endpoints":{"shell":{"params":{"allow_commands":["ls -lR"]}}}}"#,
            "",
            "policy:endpoints.shell: the command pattern `ls -lR` never matches",
        ),
    ];
    for (json, groups, start) in rows {
        let hints = hints(json, groups);
        assert!(hints.iter().any(|hint| hint.starts_with(start)), "{json}: {hints:?}");
    }
}
