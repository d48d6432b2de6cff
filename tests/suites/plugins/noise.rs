//! What components write to the operator's log.

use crate::harness::{Setup, wait};

use super::neighbours::while_others_are_served;

#[test]
fn a_flood_is_cut_and_leaves_the_audit_log_whole() {
    let policy = super::component::budget(&serde_json::json!({"cpu_seconds": 60, "wall_seconds": 600}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let requests = 20;
    while_others_are_served(&server, || {
        for index in 0..requests {
            let kind = if index % 2 == 0 { "log" } else { "stderr" };
            assert_eq!(server.ask(&format!("/hostile/{kind}?lines=5000")).status, 204);
        }
    });
    // Denied, so that it has a line in the audit log, which comes after all others.
    server.ask("/hostile/denial?code=last").refused(403, "last");
    wait::until_true("the last line is there", || server.log.text().contains("\"code\":\"last\""));
    let log = server.log.text();
    let noise = log.lines().filter(|line| line.contains("noise")).count();
    assert!((1..5000).contains(&noise), "{noise} lines of 100000");
    assert!(log.contains("the plugin writes more than 20 lines a second; the rest is dropped group=\"hostile\""));
}

/// A line of a plugin looks like nobody else's.
#[test]
fn lines_of_a_plugin_are_escaped_and_marked() {
    let server = Setup::new().with_hostile().start();
    assert_eq!(server.ask("/hostile/log?lines=1").status, 204);
    assert_eq!(server.ask("/hostile/stderr?lines=1").status, 204);
    wait::until_true("both lines are there", || server.log.text().matches("noise").count() == 2);
    for line in server.log.text().lines() {
        assert!(!line.starts_with("{\"endpoint\":\"forged\""), "{line}");
        assert!(!line.contains(['\u{1b}', '\r']), "{line:?}");
        if line.contains("noise") {
            assert!(line.contains("group=\"hostile\""), "{line}");
        }
    }
}
