//! Step 7: the audit log (contract: pipeline §9).

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::harness::{Request, Server, Setup, TOKEN};

/// Members of every line.
const FIELDS: [&str; 8] = ["code", "decision", "endpoint", "identity", "method", "paths", "status", "ts"];

/// A line without its time, which is checked.
#[track_caller]
fn timeless(mut line: Value) -> Value {
    let names: BTreeSet<_> = line.as_object().unwrap().keys().cloned().collect();
    assert!(FIELDS.iter().all(|field| names.contains(*field)), "{line}");
    let ts = line.as_object_mut().unwrap().remove("ts").unwrap().as_f64().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
    assert!((now - 120.0..now + 1.0).contains(&ts), "{ts}");
    assert!(((ts * 1000.0).round() / 1000.0 - ts).abs() < 1e-9, "{ts} has more than 3 decimals");
    line
}

fn line(identity: Value, endpoint: &str, method: &str, status: u16, code: Value, paths: Value) -> Value {
    let decision = if status >= 400 { "deny" } else { "allow" };
    json!({
        "identity": identity, "endpoint": endpoint, "method": method,
        "decision": decision, "status": status, "code": code, "paths": paths,
    })
}

fn policy(audit: &str) -> Value {
    json!({
        "auth": {"tokens": [
            {"id": "all", "token_env": "ABX_SERVER_TOKEN", "scopes": ["*"]},
            {"id": "none", "token_env": "NONE", "scopes": []},
        ]},
        "defaults": {"audit": audit},
        "endpoints": {
            "files_list": {"enabled": false},
            "files_mkdir": {"limits": {"max_request_bytes": 100}},
            "files_delete": {"limits": {"rate_per_minute": 1}},
        },
    })
}

/// Each kind of outcome with its line, in the order in which they are brought about.
fn outcomes(server: &Server) -> Vec<(Request, Value)> {
    let base = server.base();
    let path = |name: &str| base.join(name).to_str().unwrap().to_owned();
    let get = |target: &str, name: &str| server.request("GET", target).query("path", path(name));
    let all = || json!("all");
    vec![
        (Request::new("GET", "/health"), line(json!("anonymous"), "health", "GET", 200, json!(null), json!([]))),
        (
            get("/files/stat", "file").bearer("wrong"),
            line(json!(null), "files_stat", "GET", 401, json!("unauthorized"), json!([])),
        ),
        (
            get("/files/stat", "file").header("X-Access-Token", "a").header("X-Access-Token", "b"),
            line(json!(null), "files_stat", "GET", 400, json!("ambiguous_credentials"), json!([])),
        ),
        (get("/files/list", ""), line(all(), "files_list", "GET", 404, json!("endpoint_disabled"), json!([]))),
        (
            get("/files/stat", "file").bearer("none"),
            line(json!("none"), "files_stat", "GET", 403, json!("missing_scope"), json!([])),
        ),
        (
            get("/files/stat", "file").query("path", "x"),
            line(all(), "files_stat", "GET", 400, json!("duplicate_parameter"), json!([])),
        ),
        (
            server.request("POST", "/files/mkdir").body(" ".repeat(101)),
            line(all(), "files_mkdir", "POST", 413, json!("payload_too_large"), json!([])),
        ),
        (
            server.request("POST", "/files/mkdir").body("["),
            line(all(), "files_mkdir", "POST", 400, json!("bad_body"), json!([])),
        ),
        // A path that was refused is not written.
        (
            server.request("GET", "/files/stat").query("path", "/etc/passwd"),
            line(all(), "files_stat", "GET", 403, json!("path_not_allowed"), json!([])),
        ),
        (
            server.request("POST", "/files/move").json(&json!({"source": path("file"), "destination": "/etc/x"})),
            line(all(), "files_move", "POST", 403, json!("path_not_allowed"), json!([path("file")])),
        ),
        (get("/download", "none"), line(all(), "files_download", "GET", 404, json!("error"), json!([path("none")]))),
        (get("/files/stat", "file"), line(all(), "files_stat", "GET", 200, json!(null), json!([path("file")]))),
        (
            server.request("POST", "/files/move").json(&json!({"source": path("file"), "destination": path("moved")})),
            line(all(), "files_move", "POST", 200, json!(null), json!([path("file"), path("moved")])),
        ),
        (
            server.request("DELETE", "/files").query("path", path("moved")),
            line(all(), "files_delete", "DELETE", 200, json!(null), json!([path("moved")])),
        ),
        (
            server.request("DELETE", "/files").query("path", path("moved")),
            line(all(), "files_delete", "DELETE", 429, json!("rate_limited"), json!([])),
        ),
    ]
}

/// Bring every outcome about and stop; the audit lines of the log.
fn lines_of(audit: &str) -> (Vec<Value>, Vec<Value>) {
    let server = Setup::new().with_token().env("NONE", "none").policy(&policy(audit)).start();
    std::fs::write(server.base().join("file"), "x").unwrap();
    let mut expected = Vec::new();
    let ready = if audit == "all" { server.log.audit(1).len() } else { 0 };
    for (request, line) in outcomes(&server) {
        assert_eq!(server.call(&request).status, line["status"], "{request:?}");
        expected.push(line);
    }
    let log = server.stop();
    let written = log.iter().filter(|line| line.starts_with('{')).skip(ready);
    (written.map(|line| timeless(serde_json::from_str(line).unwrap())).collect(), expected)
}

#[test]
fn mode_all_writes_every_request() {
    let (written, expected) = lines_of("all");
    assert_eq!(written, expected);
}

#[test]
fn mode_deny_writes_what_was_refused() {
    let (written, expected) = lines_of("deny");
    let refused: Vec<_> = expected.into_iter().filter(|line| line["decision"] == "deny").collect();
    assert_eq!(written, refused);
}

#[test]
fn mode_off_writes_nothing() {
    assert_eq!(lines_of("off").0, [] as [Value; 0]);
}

/// Steps 2 and 3 have the mode of `defaults`; the steps behind them that of the endpoint.
#[test]
fn an_endpoint_that_is_not_audited_still_leaves_its_refusals() {
    let mut policy = policy("deny");
    policy["endpoints"]["files_stat"] = json!({"audit": "off", "limits": {"rate_per_minute": 2}});
    policy["endpoints"]["files_download"] = json!({"audit": "all"});
    let server = Setup::new().with_token().env("NONE", "none").policy(&policy).start();
    let stat = server.request("GET", "/files/stat").query("path", "/etc/passwd");
    for (request, status) in [
        (stat.clone().bearer("wrong"), 401),
        (stat.clone().bearer("none"), 403),
        (stat.clone(), 403),
        (stat.clone().query("a", "1").query("a", "1"), 400),
        (stat, 429),
        (server.request("GET", "/download").query("path", server.base().to_str().unwrap()), 404),
        (server.request("GET", "/capabilities"), 200),
    ] {
        assert_eq!(server.call(&request).status, status);
    }
    let log = server.stop();
    let lines = log.iter().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> = lines.iter().map(|line| (&line["status"], &line["code"])).collect();
    let expected = [(401, "unauthorized"), (403, "missing_scope"), (429, "rate_limited"), (404, "error")]
        .map(|(s, c)| (json!(s), json!(c)));
    assert_eq!(shown, expected.iter().map(|(status, code)| (status, code)).collect::<Vec<_>>());
}

/// With `--audit-file` the same lines are in the file too, and they are appended.
#[test]
fn the_file_has_the_same_lines() {
    let setup = Setup::new().with_token();
    let file = setup.place("audit.log");
    std::fs::write(&file, "{\"before\":true}\n").unwrap();
    let setup = setup.policy(&json!({"defaults": {"audit": "all"}})).arg("--audit-file").arg(&file);
    let server = setup.start();
    for path in ["/capabilities", "/files/stat?path=/etc/passwd", "/nowhere"] {
        server.call(&server.request("GET", path));
    }
    let log = server.stop();
    let on_stderr: Vec<_> = log.iter().filter(|line| line.starts_with('{')).map(String::as_str).collect();
    let text = std::fs::read_to_string(&file).unwrap();
    let in_file: Vec<_> = text.lines().collect();
    assert_eq!(in_file[0], "{\"before\":true}");
    assert_eq!(in_file[1..], on_stderr);
    assert_eq!(on_stderr.len(), 3, "the readiness check and two of the three: {log:?}");
}

/// A line comes when its answer has ended, also one whose client left; status 0 is for those who got none.
#[test]
fn a_line_follows_the_last_byte() {
    let server = Setup::new().with_token().policy(&json!({"endpoints": {"files_*": {"audit": "all"}}})).start();
    let file = server.base().join("large");
    std::fs::File::create(&file).unwrap().set_len(200 << 20).unwrap();
    let mut connection = server.connect();
    connection.send(server.request("GET", "/download").query("path", file.to_str().unwrap()).bytes());
    assert_eq!(connection.head().status, 200);
    server.get("/files/stat", &file).ok();
    assert_eq!(server.log.audit(1)[0]["endpoint"], "files_stat", "the download has not ended");
    drop(connection);
    let lines = server.log.audit(2);
    assert_eq!((&lines[1]["endpoint"], &lines[1]["status"]), (&json!("files_download"), &json!(200)));
    assert_eq!(lines[1]["paths"], json!([file.to_str()]));

    let mut connection = server.connect();
    connection.send(server.request("POST", "/files/mkdir").header("Content-Length", "10").bearer(TOKEN).head());
    server.get("/files/stat", &file).ok();
    drop(connection);
    let lines = server.log.audit(4);
    assert_eq!(lines.iter().filter(|line| line["endpoint"] == "files_mkdir").count(), 1);
}

/// Paths are cut to 512 characters.
#[test]
fn long_paths_are_cut() {
    let server = Setup::new().policy(&json!({"defaults": {"audit": "all"}})).start();
    let long = server.base().join("\u{e9}".repeat(200)).join("y".repeat(200)).join("z".repeat(200));
    server.get("/files/stat", &long).ok();
    let log = server.stop();
    let line = log.iter().find(|line| line.contains("files_stat")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    let cut: String = long.to_str().unwrap().chars().take(512).collect();
    assert_eq!(line["paths"], json!([cut]));
}
