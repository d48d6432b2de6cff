//! Memory does not grow with what commands write (contract: process §2, §3, decision D33).

use serde_json::json;

use crate::harness::{Server, Setup, wait};

/// The most memory that the server has held so far, in bytes.
fn peak(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// What doing something costs at most.
#[track_caller]
fn grows_by_less_than(server: &Server, bytes: usize, act: impl FnOnce()) {
    let before = peak(server);
    act();
    let grown = peak(server).saturating_sub(before);
    assert!(grown < bytes, "{} KiB more", grown >> 10);
}

const MUCH: &str = "head -c 200000000 /dev/zero";

/// A server whose ways have been used once.
fn stage(limit: &str) -> Server {
    let limits = json!({"limits": {"max_output_bytes": limit}});
    let server = Setup::new().policy(&json!({"endpoints": {"shell": limits, "process_start": limits}})).start();
    server.shell("head -c 3000000 /dev/zero").ok();
    server.process("true", &json!({"capture_output": true}));
    server
}

#[test]
fn output_beyond_the_limit_is_dropped() {
    let server = stage("1MiB");
    grows_by_less_than(&server, 16 << 20, || {
        let answer = server.shell(MUCH).ok();
        assert_eq!((&answer["truncated"], answer["stdout"].as_str().unwrap().len()), (&json!(true), 1 << 20));
    });
    grows_by_less_than(&server, 16 << 20, || {
        let pid = server.process(MUCH, &json!({"capture_output": true}));
        let get = |rest: &str| server.call(&server.request("GET", &format!("/process/{pid}{rest}"))).ok();
        wait::until_true("it has ended", || get("")["state"] == "exited");
        assert_eq!(get("/output")["dropped"], true);
    });
}

/// What may be kept is kept in a file, and written as the client takes it.
#[test]
fn much_output_is_kept_outside_of_memory() {
    let server = stage("50MiB");
    grows_by_less_than(&server, 24 << 20, || {
        let mut connection = server.connect();
        let command = "sh -c 'head -c 60000000 /dev/zero | tr \"\\0\" x'";
        connection.send(server.request("POST", "/shell").json(&json!({ "command": command })).bytes());
        assert_eq!(connection.head().status, 200);
        let mut length = 0;
        loop {
            let chunk = connection.chunk().len();
            length += chunk;
            if chunk == 0 {
                break;
            }
        }
        assert!(length > 50 << 20, "{length}");
    });
}

/// One line of 50 MB: it may come in pieces, and the server holds no more than a few of them.
#[test]
fn a_line_without_end_is_cut() {
    let server = stage("1MiB");
    let command = "sh -c 'head -c 50000000 /dev/zero | tr \"\\0\" x'";
    let stream = server.request("POST", "/shell/stream").json(&json!({ "command": command }));
    grows_by_less_than(&server, 96 << 20, || {
        let mut connection = server.connect();
        connection.send(stream.bytes());
        assert_eq!(connection.head().status, 200);
        let (mut length, mut end) = (0, Vec::new());
        loop {
            let chunk = connection.chunk();
            if chunk.is_empty() {
                break;
            }
            length += chunk.len();
            end = [end, chunk].concat();
            end.drain(..end.len().saturating_sub(100));
        }
        assert!(length > 50_000_000, "{length}");
        assert!(String::from_utf8_lossy(&end).ends_with("event: exit\ndata: {\"exit_code\":0}\n\n"));
    });
}
