//! What does not fit the table of endpoints is a start error that names its place (`contract: policy §3, §4`).

use abxd_policy::ResolveError;

use crate::support::try_resolve;

fn message(json: &str) -> String {
    try_resolve(json, &[], "").expect_err(json).to_string()
}

#[test]
fn unknown_selectors_are_named_with_a_guess() {
    let rows = [
        (
            r#"{"endpoints":{"shel":{}}}"#,
            "line 1, column 15: endpoints: unknown endpoint `shel`, did you mean `shell`?",
        ),
        (r#"{"endpoints":{"":{}}}"#, "line 1, column 15: endpoints: unknown endpoint ``"),
        (r#"{"endpoints":{"GET /custom/{x}":{}}}"#, "line 1, column 15: endpoints: unknown endpoint `GET /custom/{x}`"),
        (
            r#"{"endpoints":{"group:proces":{}}}"#,
            "line 1, column 15: endpoints: unknown group `proces`, did you mean `process`?",
        ),
        (r#"{"endpoints":{"group:*":{}}}"#, "line 1, column 15: endpoints: unknown group `*`"),
        (r#"{"groups":["teminal"]}"#, "line 1, column 12: groups: unknown group `teminal`, did you mean `terminal`?"),
        (
            r#"{"groups":{"Process":true}}"#,
            "line 1, column 12: groups: unknown group `Process`, did you mean `process`?",
        ),
    ];
    for (json, expected) in rows {
        assert_eq!(message(json), expected, "{json}");
    }
}

#[test]
fn what_a_single_endpoint_does_not_have_is_refused() {
    let rows = [
        (
            r#"{"endpoints":{"system_info":{"paths":{}}}}"#,
            "line 1, column 15: endpoints.system_info: `paths` does not apply to this endpoint",
        ),
        (
            r#"{"endpoints":{"files_list":{"limits":{"max_bytes":5}}}}"#,
            "line 1, column 15: endpoints.files_list: `limits.max_bytes` does not apply to this endpoint \
             (it accepts max_request_bytes, rate_per_minute, max_concurrency, max_entries, max_depth)",
        ),
        (
            r#"{"endpoints":{"code_run":{"params":{"shells":[]}}}}"#,
            "line 1, column 15: endpoints.code_run: `params.shells` does not apply to this endpoint (it accepts languages)",
        ),
    ];
    for (json, expected) in rows {
        assert_eq!(message(json), expected, "{json}");
    }
}

#[test]
fn selectors_of_many_may_select_nothing_and_set_anything() {
    for json in [
        r#"{"endpoints":{"nothing_*":{"enabled":false}}}"#,
        r#"{"endpoints":{"shell?":{"limits":{"max_files":1}},"[xyz]*":{"paths":{"read_only":true}}}}"#,
        r#"{"endpoints":{"group:system":{"paths":{"read_only":true},"params":{"overwrite":false}}}}"#,
        r#"{"groups":["core","process","process"]}"#,
        r#"{"groups":{"core":true}}"#,
    ] {
        assert!(try_resolve(json, &[], "").is_ok(), "{json}");
    }
}

#[test]
fn the_environment_names_known_groups_only() {
    let error = try_resolve("{}", &[], "process, dev_tool").expect_err("an unknown group");
    assert_eq!(error.to_string(), "ABX_SERVER_ENABLED_GROUPS: unknown group `dev_tool`, did you mean `dev_tools`?");
    assert!(try_resolve("{}", &[], "Process").is_err());
    assert!(try_resolve("{}", &[], " , ,core,").is_ok());
}

#[test]
fn code_switches_known_groups_and_never_core() {
    assert_eq!(try_resolve("{}", &[("core", false)], "").err(), Some(ResolveError::CodeDisablesCore));
    let unknown = try_resolve("{}", &[("nope", true)], "").err();
    assert_eq!(unknown, Some(ResolveError::UnknownCodeGroup { group: "nope".into(), suggestion: None }));
}
