//! The one table: all that the contract names is in it, and nothing is served that is not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::tree::read;
use crate::harness::{Request, Setup};

/// Endpoints of each group.
const TOTALS: [(&str, u64); 9] = [
    ("core", 3),
    ("commands", 2),
    ("file_ops", 12),
    ("process", 8),
    ("terminal", 6),
    ("system", 6),
    ("dev_tools", 3),
    ("browser", 8),
    ("agents", 70),
];

fn capabilities(setup: &Setup) -> Value {
    let server = setup.start();
    server.call(&server.request("GET", "/capabilities")).ok()
}

#[test]
fn the_table_is_the_contracts() {
    let document = capabilities(&Setup::new());
    assert_eq!(document["api_version"], 2);
    let endpoints = document["endpoints"].as_object().unwrap();
    assert_eq!(endpoints.len(), 118);
    let totals: BTreeMap<_, _> = TOTALS.into();
    assert_eq!(totals.values().sum::<u64>(), 118);
    let summary = document["group_summary"].as_object().unwrap();
    let found: BTreeMap<_, _> =
        summary.iter().map(|(group, row)| (group.as_str(), row["total"].as_u64().unwrap())).collect();
    assert_eq!(found, totals);

    let contract: Value = serde_json::from_str(&read("tests/conformance/endpoints.json")).unwrap();
    let contract = contract.as_array().unwrap();
    assert_eq!(contract.len(), 118);
    for row in contract {
        let id = row["id"].as_str().unwrap();
        let entry = &endpoints[id];
        assert_eq!((&entry["path"], &entry["group"]), (&row["path"], &row["group"]), "{id}");
        let method = if id == "pty_connect" { json!("WS") } else { row["method"].clone() };
        assert_eq!(entry["method"], method, "{id}");
    }
}

/// What is off by itself, and what one variable turns on.
#[test]
fn groups_are_on_and_off_as_the_contract_says() {
    let enabled = |document: &Value| -> BTreeSet<String> {
        let groups = document["groups"].as_object().unwrap();
        groups.iter().filter(|(_, on)| **on == true).map(|(name, _)| name.clone()).collect()
    };
    let usual = ["core", "commands", "file_ops", "process", "terminal", "system"];
    let usual: BTreeSet<_> = usual.into_iter().map(str::to_owned).collect();
    assert_eq!(enabled(&capabilities(&Setup::new())), usual);
    let all = capabilities(&Setup::new().env("ABX_SERVER_ENABLED_GROUPS", "dev_tools,browser,agents"));
    assert_eq!(enabled(&all).len(), 9);
    assert!(all["endpoints"].as_object().unwrap().values().all(|entry| entry["enabled"] == true));
}

/// Entries have the contract's keys and no others (contract: policy §9).
#[test]
fn entries_have_the_contracts_keys() {
    let always = ["allowed", "enabled", "group", "method", "path", "reason", "rule", "scopes", "streaming", "summary"];
    let policy = json!({"auth": {"anonymous_scopes": ["files:read"]}});
    let document = capabilities(&Setup::new().policy(&policy));
    for (id, entry) in document["endpoints"].as_object().unwrap() {
        let keys: BTreeSet<_> = entry.as_object().unwrap().keys().map(String::as_str).collect();
        let mut expected: BTreeSet<_> = always.into();
        if entry["allowed"] == true {
            expected.extend(["limits", "params"]);
            if keys.contains("paths") {
                expected.insert("paths");
                let paths: BTreeSet<_> = entry["paths"].as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(paths, ["allow", "deny_count", "read_only", "symlinks"].into(), "{id}");
            }
        }
        assert_eq!(keys, expected, "{id}");
        let reason = match (&entry["enabled"], &entry["allowed"]) {
            (Value::Bool(false), _) => json!("endpoint_disabled"),
            (_, Value::Bool(false)) => json!("missing_scope"),
            _ => json!(null),
        };
        assert_eq!(entry["reason"], reason, "{id}");
        assert!(!entry["summary"].as_str().unwrap().is_empty(), "{id}");
    }
}

/// Every endpoint of the table has its route; what would be an endpoint of another design has none.
#[test]
fn what_is_in_the_table_is_served_and_nothing_else() {
    // Nobody holds this scope: each request ends at step 3, and names the endpoint it would have been.
    let policy = json!({"defaults": {"scopes": ["nobody:has"]}, "groups": ["dev_tools", "browser", "agents"]});
    let policy =
        policy.as_object().unwrap().clone().into_iter().chain([("auth".to_owned(), json!({"anonymous_scopes": []}))]);
    let server = Setup::new().policy(&Value::Object(policy.collect())).start();
    let contract: Value = serde_json::from_str(&read("tests/conformance/endpoints.json")).unwrap();
    for row in contract.as_array().unwrap() {
        let (id, method) = (row["id"].as_str().unwrap(), row["method"].as_str().unwrap());
        if matches!(id, "health" | "pty_connect") {
            continue;
        }
        let path = row["path"].as_str().unwrap().replace(['{', '}'], "x");
        let body = server.call(&Request::new(method, &path)).refused(403, "missing_scope");
        assert_eq!(body["endpoint"], id, "{method} {path}");
    }
    for (method, path) in [
        ("POST", "/ops"),
        ("POST", "/ops/files_stat"),
        ("POST", "/rpc"),
        ("POST", "/files_stat"),
        ("GET", "/v1"),
        ("GET", "/metrics"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("GET", "/favicon.ico"),
        ("GET", "/pty"),
        ("GET", "/terminal"),
        ("GET", "/debug"),
        ("GET", "/status"),
    ] {
        let answer = server.call(&Request::new(method, path));
        assert_eq!(answer.json(), json!({"error": format!("Not found: {path}"), "type": "ValueError"}));
    }
}
