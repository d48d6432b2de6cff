//! Handles: kept, lost and guessed.

use serde_json::json;

use super::component::budget;
use crate::harness::{Server, Setup};

fn with_file(setup: &Setup) -> String {
    let file = setup.base().join("file");
    std::fs::write(&file, "content").unwrap();
    file.to_str().unwrap().to_owned()
}

fn ask(server: &Server, kind: &str, path: &str) -> crate::harness::Answer {
    server.get(&format!("/hostile/{kind}"), path)
}

#[test]
fn a_plugin_that_opens_without_end_is_stopped() {
    let setup = Setup::new().with_hostile().policy(&budget(&json!({"cpu_seconds": 60, "wall_seconds": 600})));
    let path = with_file(&setup);
    let server = setup.start();
    ask(&server, "leak", &path).is_broken(500, "plugin_failed");
    assert_eq!(ask(&server, "read", &path).text(), "content");
}

/// More files than the server may have open, and all of them lost.
#[test]
fn what_a_call_leaves_open_is_closed_after_it() {
    let setup = Setup::new().with_hostile().under(["sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"]);
    let path = with_file(&setup);
    let server = setup.start();
    for _ in 0..100 {
        assert_eq!(ask(&server, "leak_some", &path).status, 204);
    }
    assert_eq!(ask(&server, "read", &path).text(), "content");
    assert_eq!(server.plugin("hostile")["state"], "serving");
}

#[test]
fn a_guessed_handle_is_nobodys() {
    let setup = Setup::new().with_hostile();
    let path = with_file(&setup);
    let server = setup.start();
    for handle in ["0", "1", "2", "3", "4", "7777", "4294967295"] {
        // One that another call has, and one that this instance has lost.
        assert_eq!(ask(&server, "read", &path).text(), "content");
        assert_eq!(ask(&server, "leak_some", &path).status, 204);
        let answer = server.ask(&format!("/hostile/forge?handle={handle}"));
        // The fifth in a row is not tried.
        assert!(matches!(answer.status, 500 | 503), "{handle}: {answer:?}");
        assert_ne!(answer.text(), "content");
    }
}
