//! `process_stdin` (contract: process §7).

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup, wait};

fn feed(server: &Server, pid: u64, body: &Value) -> Answer {
    server.post(&format!("/process/{pid}/stdin"), body)
}

fn output(server: &Server, pid: u64) -> (String, Value) {
    let page = server.call(&server.request("GET", &format!("/process/{pid}/output"))).ok();
    let text = page["events"].as_array().unwrap().iter().map(|event| event["data"].as_str().unwrap()).collect();
    (text, page["state"].clone())
}

const FED: &str = r#"{"capture_output": true, "stdin": true}"#;

fn cat(server: &Server) -> u64 {
    server.process("cat", &serde_json::from_str(FED).unwrap())
}

#[test]
fn what_is_fed_arrives_in_order() {
    let server = Setup::new().start();
    let pid = cat(&server);
    for (body, written) in [
        (json!({"data": "h\u{e9}\n"}), 4),
        (json!({"data_base64": "AGE=", "data": "not this"}), 2),
        (json!({"data": "b", "eof": 0}), 1),
    ] {
        assert_eq!(feed(&server, pid, &body).ok(), json!({"pid": pid, "written": written, "closed": false}));
    }
    assert_eq!(
        feed(&server, pid, &json!({"data": "c", "eof": "no"})).ok(),
        json!({"pid": pid, "written": 1, "closed": true})
    );
    wait::until_true("it has ended", || output(&server, pid).1 == "exited");
    assert_eq!(output(&server, pid).0, "h\u{e9}\n\0abc");
}

#[test]
fn an_input_that_is_closed_or_was_none_is_a_conflict() {
    let server = Setup::new().start();
    let without = server.process("sleep 61", &json!({}));
    let closed = server.process("sh -c 'exec sleep 61'", &json!({"stdin": true}));
    assert_eq!(feed(&server, closed, &json!({"eof": true})).ok(), json!({"pid": closed, "written": 0, "closed": true}));
    for pid in [without, closed] {
        for body in [json!({"data": "x"}), json!({"eof": true}), json!({"data": 5}), json!({})] {
            assert_eq!(feed(&server, pid, &body).failed_as(409, "ConflictError")["code"], json!(null), "{body}");
        }
    }
    feed(&server, 99_999_999, &json!({"data": 5})).failed_as(404, "NotFoundError");
    server.post("/process/x/stdin", &json!({"data": "x"})).failed_as(400, "ValueError");
}

#[test]
fn what_is_nothing_or_no_text_is_refused() {
    let server = Setup::new().start();
    let pid = cat(&server);
    for body in [
        json!({}),
        json!({"data": ""}),
        json!({"data_base64": ""}),
        json!({"eof": false}),
        json!({"data": null}),
        json!({"data": 5}),
        json!({"data_base64": "YQ"}),
        json!({"data_base64": "Y Q=="}),
        json!({"data_base64": 5}),
        json!({"data": ["x"], "eof": true}),
    ] {
        assert_eq!(feed(&server, pid, &body).failed_as(400, "ValueError")["code"], json!(null), "{body}");
    }
    assert_eq!(feed(&server, pid, &json!({"data": "fine"})).ok()["written"], 4);
}

/// Once the reader has gone, only the end can be told.
#[test]
fn a_process_that_has_ended_takes_nothing() {
    let server = Setup::new().start();
    let pid = server.process("true", &serde_json::from_str(FED).unwrap());
    wait::until_true("it has ended", || output(&server, pid).1 == "exited");
    feed(&server, pid, &json!({"data": "x"})).failed_as(409, "ConflictError");
    // Its input closes with it, or is still to be closed: either is told.
    assert!(matches!(feed(&server, pid, &json!({"eof": true})).status, 200 | 409));
}

/// Much at once, faster than it is read: all of it arrives, and nobody else waits for it.
#[test]
fn much_input_waits_for_its_reader() {
    let server = Setup::new().start();
    let pid = server.process("sh -c 'sleep 0.5; wc -c'", &serde_json::from_str(FED).unwrap());
    std::thread::scope(|scope| {
        let body = json!({"data": "x".repeat(3_000_000)});
        let (first, server) = (body.clone(), &server);
        let writer = scope.spawn(move || assert_eq!(feed(server, pid, &first).ok()["written"], 3_000_000));
        assert_eq!(server.shell("echo hi").ok()["stdout"], "hi\n");
        assert_eq!(server.call(&server.request("GET", &format!("/process/{pid}"))).ok()["state"], "running");
        writer.join().unwrap();
        assert_eq!(feed(server, pid, &body).ok()["written"], 3_000_000);
    });
    feed(&server, pid, &json!({"eof": true})).ok();
    wait::until_true("it has ended", || output(&server, pid).1 == "exited");
    assert_eq!(output(&server, pid).0.trim(), "6000000");
}

/// A process that is killed while somebody feeds it takes no more.
#[test]
fn a_process_that_dies_ends_the_wait() {
    let server = Setup::new().start();
    let pid = server.process("sleep 61", &json!({"stdin": true}));
    std::thread::scope(|scope| {
        let server = &server;
        let writer = scope.spawn(move || feed(server, pid, &json!({"data": "x".repeat(3_000_000)})));
        // The pipe is full once the request waits; a kill is the only way out.
        wait::until_true("it is dead", || {
            server.post(&format!("/process/{pid}/signal"), &json!({"signal": 9})).status == 404
        });
        writer.join().unwrap().failed_as(409, "ConflictError");
    });
}
