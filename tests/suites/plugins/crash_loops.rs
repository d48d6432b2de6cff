//! Components that break again and again are left alone for a while, and are back once they work.

use super::component::packed;
use super::neighbours::while_others_are_served;
use crate::harness::{Answer, Server, Setup, wait};

/// Breakdowns in a row after which nothing is tried for a while.
const PATIENCE: usize = 5;

fn keep(server: &Server, mib: u32) -> Answer {
    server.call(&server.request("POST", &format!("/hostile/keep?mib={mib}")).body("{}"))
}

#[test]
fn an_endpoint_that_keeps_breaking_is_left_alone_and_recovers() {
    let server = Setup::new().with_hostile().start();
    for _ in 0..PATIENCE {
        keep(&server, 100).is_broken(500, "plugin_failed");
    }
    while_others_are_served(&server, || {
        let body = keep(&server, 0).is_broken(503, "plugin_unavailable");
        assert_eq!(body["endpoint"], "hostile_keep");
        assert!(body["error"].as_str().unwrap().starts_with("the plugin broke down repeatedly"), "{body}");
    });
    assert_eq!(server.plugin("hostile")["state"], "backing off");
    // The group's other endpoints did nothing wrong.
    assert_eq!(server.ask("/hostile/nothing").status, 204);
    wait::until_true("the endpoint is tried again", || keep(&server, 0).status == 200);
    assert_eq!(server.plugin("hostile")["state"], "serving");
    assert_eq!(server.plugin("echo")["state"], "serving");
}

#[test]
fn a_success_in_between_forgives() {
    let server = Setup::new().with_hostile().start();
    for _ in 0..3 {
        for _ in 1..PATIENCE {
            keep(&server, 100).is_broken(500, "plugin_failed");
        }
        assert_eq!(server.plugin("hostile")["state"], "failing");
        keep(&server, 0).ok();
        assert_eq!(server.plugin("hostile")["state"], "serving");
    }
}

#[test]
fn a_plugin_that_never_starts_is_left_alone() {
    let server = Setup::new().plugin(packed("stillborn")).with_hostile().start();
    wait::until_true("it is left alone", || {
        server.breaks("/stillborn", 503, "plugin_unavailable");
        server.plugin("stillborn")["state"] == "backing off"
    });
    assert_eq!(server.plugin("hostile")["state"], "serving");
}
