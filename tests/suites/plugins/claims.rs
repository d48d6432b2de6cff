//! What a manifest says is not believed where safety hangs on it (decision D71).

use serde_json::json;
use sha2::{Digest, Sha256};

use super::component::{bare, one_endpoint, pack, packed};
use crate::harness::Setup;

/// The hostile component, which uses files, with a manifest that says nothing of them.
fn lying(setup: &Setup) -> std::path::PathBuf {
    let endpoint = "id = \"hostile_read\"\nmethod = \"GET\"\npath = \"/lying/read\"";
    setup.keep("lying.wasm", pack(&bare("hostile"), &one_endpoint("lying", endpoint)))
}

#[test]
fn an_endpoint_can_do_what_its_component_reaches() {
    let setup = Setup::new();
    let setup = setup.clone().plugin(lying(&setup)).grant("lying:files");
    // Accepted only of an endpoint that has to do with paths.
    let server = setup.policy(&json!({"endpoints": {"hostile_read": {"paths": {"deny": ["*.key"]}}}})).start();
    let entry = server.ask("/capabilities").ok()["endpoints"]["hostile_read"].clone();
    assert_eq!(entry["scopes"], json!(["lying:use"]));
    assert_eq!(entry["paths"]["deny_count"], 1, "{entry}");
    let plugin = server.plugin("lying");
    assert_eq!(plugin["asks"], json!([]));
    let mut granted: Vec<_> = plugin["granted"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    granted.sort_unstable();
    assert_eq!(granted, ["bulk", "clock", "files", "log"]);
}

#[test]
fn what_a_manifest_hides_is_not_granted() {
    let setup = Setup::new();
    let file = lying(&setup);
    let outcome = setup.plugin(&file).run();
    let said = outcome.one_line(1);
    let file = file.display();
    assert_eq!(
        said,
        format!("abxd: {file}: it imports `files`, which is not granted; `--grant lying:files` grants it")
    );
}

#[test]
fn an_endpoint_without_scopes_takes_the_groups() {
    let digest = |token: &str| Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let token = |id: &str, scopes: &[&str]| json!({"id": id, "token_sha256": digest(id), "scopes": scopes});
    let policy = json!({"auth": {"tokens": [
        token("user", &["echo:use"]),
        token("texter", &["echo:text"]),
        token("all", &["echo:*"]),
        token("other", &["files:read"]),
    ]}});
    let server = Setup::new().plugin(packed("echo")).policy(&policy).start();
    let text = |token: &str| server.call(&server.request("GET", "/echo").bearer(token));
    let body = |token: &str| server.call(&server.request("POST", "/echo").bearer(token).json(&json!({"text": "x"})));
    for (token, may_text, may_body) in
        [("user", false, true), ("texter", true, false), ("all", true, true), ("other", false, false)]
    {
        for (answer, may, scope) in [(text(token), may_text, "echo:text"), (body(token), may_body, "echo:use")] {
            if may {
                answer.ok();
            } else {
                assert_eq!(answer.refused(403, "missing_scope")["scope"], scope, "{token}");
            }
        }
    }
    server.call(&server.request("GET", "/echo")).refused(401, "unauthorized");
}
