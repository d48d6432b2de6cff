//! Every way out of a request frees its slot (contract: pipeline §1).

use serde_json::json;

use crate::harness::{Connection, Request, Server, Setup, wait};

/// A server on which every endpoint of the group serves one request at a time.
fn server() -> Server {
    let limits = json!({"max_concurrency": 1, "max_request_bytes": "30MiB"});
    let small = json!({"max_concurrency": 1, "max_request_bytes": 1000});
    let policy = json!({"endpoints": {"files_*": {"limits": limits}, "files_mkdir": {"limits": small}}});
    Setup::new().policy(&policy).start()
}

fn stat(server: &Server) -> Request {
    server.request("GET", "/files/stat").query("path", server.base().to_str().unwrap())
}

fn upload(server: &Server, name: &str) -> Request {
    let request = server.request("POST", "/upload").header("Content-Type", "application/octet-stream");
    request.query("path", server.base().join(name).to_str().unwrap())
}

/// The slot is free again. The client may have its answer a moment before the server has done with it.
#[track_caller]
fn is_free(server: &Server, probe: &Request) {
    wait::until_true("the slot is free", || server.call(probe).json()["code"] != "concurrency_limited");
}

/// A connection whose request is being handled: the server has asked for its body.
#[track_caller]
fn waiting(server: &Server, request: &Request, length: usize) -> Connection {
    let request = request.clone().header("Expect", "100-continue").header("Content-Length", length.to_string());
    wait::until("the request is admitted", || {
        let mut connection = server.connect();
        connection.send(request.head());
        (connection.head().status == 100).then_some(connection)
    })
}

/// The slot is taken.
#[track_caller]
fn is_taken(server: &Server, probe: &Request) {
    server.call(probe).refused(429, "concurrency_limited");
}

#[test]
fn every_answer_frees_the_slot() {
    let server = server();
    let mkdir = |body: &str| server.request("POST", "/files/mkdir").body(body);
    let path = |name: &str| json!({"path": server.base().join(name).to_str()}).to_string();
    std::fs::write(server.base().join("file"), "x").unwrap();
    let probe = mkdir(&path("made"));
    for (request, status) in [
        (mkdir(&path("made")), 200),
        (server.request("POST", "/files/mkdir?a=1&a=1").body("{}"), 400),
        (server.request("POST", "/files/mkdir").header("Transfer-Encoding", "chunked"), 400),
        (mkdir(&" ".repeat(1001)), 413),
        (mkdir("{"), 400),
        (mkdir("[]"), 400),
        (mkdir("{}"), 400),
        (mkdir(&json!({"path": "/etc"}).to_string()), 403),
        (mkdir(&path("file")), 500),
        (mkdir(&path("file/below")), 500),
    ] {
        // Many times: one slot that is lost would be enough.
        for _ in 0..5 {
            let mut connection = server.connect();
            connection.send(request.bytes());
            let answer = connection.answer();
            assert_eq!(answer.status, status, "{request:?}: {answer:?}");
            is_free(&server, &probe);
        }
    }
}

/// A connection that stays open holds nothing between its requests.
#[test]
fn a_connection_that_is_kept_holds_no_slot() {
    let server = server();
    let mut kept = server.connect();
    for _ in 0..10 {
        wait::until_true("an answer", || kept.call(&stat(&server)).status == 200);
        is_free(&server, &stat(&server));
    }
}

/// A client that leaves while its body is awaited.
#[test]
fn a_client_that_leaves_before_its_body_frees_the_slot() {
    let server = server();
    let raw = upload(&server, "x");
    let form = server.request("POST", "/upload").header("Content-Type", "multipart/form-data; boundary=b");
    let json = server.request("POST", "/upload").header("Content-Type", "application/json");
    let mkdir = server.request("POST", "/files/mkdir");
    let (probe_upload, probe_mkdir) = (upload(&server, "probe").body(""), mkdir.clone().body(""));
    for (request, length, part, probe) in [
        (&raw, 20_000_000, 0, &probe_upload),
        (&raw, 20_000_000, 3_000_000, &probe_upload),
        (&form, 20_000_000, 3_000_000, &probe_upload),
        (&json, 20_000_000, 3_000_000, &probe_upload),
        (&mkdir, 500, 0, &probe_mkdir),
        (&mkdir, 500, 499, &probe_mkdir),
    ] {
        let mut connection = waiting(&server, request, length);
        // A part that is no part of a form or a JSON text is refused before its end.
        let _ = connection.try_send(vec![b' '; part]);
        drop(connection);
        is_free(&server, probe);
    }
    let names: Vec<_> = std::fs::read_dir(server.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["probe"]);
}

/// A client that does not read its answer holds the slot; one that leaves meanwhile frees it.
#[test]
fn a_client_that_leaves_its_answer_frees_the_slot() {
    let server = server();
    // More than the sockets between the two can hold.
    let file = std::fs::File::create(server.base().join("large")).unwrap();
    file.set_len(200 << 20).unwrap();
    for target in ["/download", "/files/download-stream"] {
        let request = server.request("GET", target).query("path", server.base().join("large").to_str().unwrap());
        let missing = server.request("GET", target).query("path", server.base().join("none").to_str().unwrap());
        let connection = wait::until("the answer begins", || {
            let mut connection = server.connect();
            connection.send(request.bytes());
            (connection.head().status == 200).then_some(connection)
        });
        is_taken(&server, &missing);
        drop(connection);
        is_free(&server, &missing);
    }
}

/// A slot given back is given once: the limit holds afterwards.
#[test]
fn the_limit_holds_after_many_ways_out() {
    let server = server();
    let probe = upload(&server, "probe").body("");
    for _ in 0..3 {
        let mut first = waiting(&server, &upload(&server, "first"), 5);
        is_taken(&server, &probe);
        is_taken(&server, &probe);
        first.send("12345");
        first.answer().ok();
        is_free(&server, &probe);
        server.call(&server.request("POST", "/upload").body("[]"));
        is_free(&server, &probe);
    }
}
