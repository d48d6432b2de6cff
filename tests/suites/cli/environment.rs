//! Secrets leave the environment, and the process keeps its memory to itself (decision D43).

use std::fs;
use std::os::unix::fs::MetadataExt;

use serde_json::json;

use crate::harness::{Server, Setup};

/// The environment block of a server, as whoever may read it sees it.
fn block(server: &Server) -> String {
    let read = fs::read(format!("/proc/{}/environ", server.pid()));
    String::from_utf8_lossy(&read.unwrap_or_default()).into_owned()
}

#[test]
fn secrets_are_not_in_the_environment_of_the_process() {
    let policy = json!({
        "description": "s3cret-document",
        "auth": {"tokens": [
            {"id": "one", "token_env": "FIRST_TOKEN", "scopes": ["*"]},
            {"id": "two", "token_env": "SECOND_TOKEN", "scopes": ["*"]},
        ]},
    });
    let setup = Setup::new().policy(&policy).env("FIRST_TOKEN", "s3cret-first").env("SECOND_TOKEN", "s3cret-second");
    let file = setup.place("s3cret-file.json");
    fs::write(&file, "{}").unwrap();
    let setup = setup.env("ABX_SERVER_TOKEN", "s3cret-token").env("ABX_SERVER_POLICY_FILE", &file);
    let server = setup.env("OTHER", "stays").start();
    let block = block(&server);
    assert!(!block.contains("s3cret"), "{block:?}");
    // As root the rest can be read, and is as it was.
    if crate::harness::is_root() {
        assert!(block.contains("OTHER=stays"), "{block:?}");
    }
    // They were taken, not lost.
    server.call(&server.request("GET", "/files/stat").query("path", ".").bearer("s3cret-second")).ok();
}

#[test]
fn the_single_token_is_not_in_the_environment_either() {
    let server = Setup::new().with_token().start();
    let block = block(&server);
    assert!(!block.contains(crate::harness::TOKEN), "{block:?}");
}

/// What a command line shows is nobody's secret: nothing of the environment gets there.
#[test]
fn the_command_line_stays_as_it_was_given() {
    let server = Setup::new().with_token().start();
    let line = fs::read(format!("/proc/{}/cmdline", server.pid())).unwrap();
    let line = String::from_utf8_lossy(&line).into_owned();
    assert!(line.contains("serve") && !line.contains(crate::harness::TOKEN), "{line:?}");
}

/// Others of the same user can't read or trace the process: the kernel gives its files to root.
#[test]
fn the_process_is_not_dumpable() {
    let server = Setup::new().with_nobody().with_token().start();
    let owner = |file: &str| fs::metadata(format!("/proc/{}/{file}", server.pid())).unwrap().uid();
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap().split_whitespace().next().unwrap();
    assert_ne!(user, "0", "the server runs as root");
    for file in ["environ", "mem", "maps", "fd"] {
        assert_eq!(owner(file), 0, "{file} belongs to the server's user");
    }
    server.get("/files/list", server.base());
}
