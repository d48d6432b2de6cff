//! Revisions: the contract's rows, and what changes one (`contract: policy §9`).

use abxd_policy::{Document, Preset, Syntax};

use crate::support::document;

fn revision(json: &str) -> String {
    document(json).revision()
}

#[test]
fn the_contracts_rows() {
    assert_eq!(revision("{}"), "2430f1a2ad2982d0");
    assert_eq!(revision(r#"{"preset":"locked"}"#), "23044476048c9315");
    let long = r#"{"description":"é","endpoints":{"files_download_stream":{"limits":{"max_bytes":"5MB"}},
        "shell":{"limits":{"timeout_seconds":1.5}}},"groups":["process"]}"#;
    assert_eq!(revision(long), "c994c22ab521efc7");

    let mut with_token = Document::empty();
    with_token.add_server_token();
    assert_eq!(with_token.revision(), "d1ef803dd4ff43bb");
}

#[test]
fn what_says_the_same_has_one_revision() {
    let digest = "ab".repeat(32);
    let pairs = [
        (r#"{"version":1}"#.to_owned(), "{}".to_owned()),
        (r#"{"groups":["process"]}"#.to_owned(), r#"{"groups":{"process":true}}"#.to_owned()),
        (
            r#"{"defaults":{"limits":{"max_bytes":"5KB"}}}"#.to_owned(),
            r#"{"defaults":{"limits":{"max_bytes":5000}}}"#.to_owned(),
        ),
        (
            format!(r#"{{"auth":{{"tokens":[{{"id":"a","scopes":[],"token_sha256":"{digest}"}}]}}}}"#),
            format!(r#"{{"auth":{{"tokens":[{{"token_sha256":"{}","scopes":[],"id":"a"}}]}}}}"#, digest.to_uppercase()),
        ),
        (r#"{"preset":"locked","base_dir":"/a"}"#.to_owned(), r#"{"base_dir":"/a","preset":"locked"}"#.to_owned()),
        (r#"{"description":true}"#.to_owned(), r#"{"description":"True"}"#.to_owned()),
        (r#"{"description":2.0}"#.to_owned(), r#"{"description":"2.0"}"#.to_owned()),
    ];
    for (one, other) in pairs {
        assert_eq!(revision(&one), revision(&other), "{one} and {other}");
    }
}

#[test]
fn what_says_something_else_has_another() {
    let texts = [
        "{}",
        r#"{"preset":"default"}"#,
        r#"{"endpoints":{}}"#,
        r#"{"defaults":{}}"#,
        r#"{"defaults":{"limits":{"timeout_seconds":1}}}"#,
        r#"{"defaults":{"limits":{"timeout_seconds":1.0}}}"#,
        r#"{"auth":{}}"#,
        r#"{"plugins":{}}"#,
        r#"{"groups":[]}"#,
    ];
    let mut revisions: Vec<_> = texts.iter().map(|text| revision(text)).collect();
    revisions.sort();
    revisions.dedup();
    assert_eq!(revisions.len(), texts.len());
}

#[test]
fn both_syntaxes_give_one_revision() {
    let yaml = "groups: [process]\ndescription: é\nendpoints:\n  shell: {limits: {timeout_seconds: 1.5}}\n  files_download_stream:\n    limits: {max_bytes: 5MB}\n";
    let yaml = Document::parse(yaml.as_bytes(), Syntax::Yaml).expect("YAML");
    assert_eq!(yaml.revision(), "c994c22ab521efc7");
}

#[test]
fn the_server_token_joins_other_auth_keys_and_never_other_tokens() {
    let mut alone = document(r#"{"auth":{"allow_anonymous":true,"tokens":[]}}"#);
    alone.add_server_token();
    assert_eq!(
        alone.revision(),
        revision(
            r#"{"auth":{"allow_anonymous":true,"tokens":[{"id":"server","scopes":["*"],"token_env":"ABX_SERVER_TOKEN"}]}}"#
        ),
    );
    let json = r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token_env":"X"}]}}"#;
    let mut with_tokens = document(json);
    with_tokens.add_server_token();
    assert_eq!(with_tokens.revision(), revision(json));
}

#[test]
fn a_document_is_configured_by_any_key_but_version() {
    assert!(!document("{}").is_configured());
    assert!(!document(r#"{"version":1}"#).is_configured());
    for json in [r#"{"preset":"default"}"#, r#"{"description":""}"#, r#"{"groups":[]}"#, r#"{"auth":{}}"#] {
        assert!(document(json).is_configured(), "{json}");
    }
    let mut with_token = Document::empty();
    with_token.add_server_token();
    assert!(with_token.is_configured());
}

#[test]
fn presets_are_set_and_replaced() {
    let mut policy = document(r#"{"preset":"locked","base_dir":"/a"}"#);
    assert_eq!(policy.preset(), Preset::Locked);
    policy.replace_preset(Preset::Hardened);
    assert_eq!(policy.revision(), revision(r#"{"preset":"hardened","base_dir":"/a"}"#));
    assert_eq!(Document::preset_only(Preset::Locked).revision(), "23044476048c9315");
    assert_eq!(Document::empty().preset(), Preset::Default);
}
