//! Memory: of one instance, and of all of a group's together.

use serde_json::json;

use super::component::budget;
use super::neighbours::while_others_are_served;
use crate::harness::{Connection, Server, Setup, wait};

/// A call that keeps so many MiB until its body is sent.
fn keeper(server: &Server, mib: u32) -> Connection {
    let mut connection = server.connect();
    let request = server.request("POST", &format!("/hostile/keep?mib={mib}")).body("{}");
    connection.send(request.head());
    connection
}

fn release(mut keeper: Connection) -> crate::harness::Answer {
    keeper.send("{}");
    keeper.answer()
}

#[test]
fn an_instance_has_its_memory_and_no_more() {
    let policy = budget(&json!({"memory_bytes": "20MiB"}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    assert_eq!(release(keeper(&server, 16)).ok()["kept"], 16 << 20);
    let body = release(keeper(&server, 20)).is_broken(500, "plugin_failed");
    assert_eq!(body["error"], "the plugin used up its memory");
}

#[test]
fn instances_share_the_memory_of_their_group() {
    let policy = budget(&json!({"memory_bytes": "32MiB", "group_memory_bytes": "40MiB"}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let first = keeper(&server, 24);
    wait::until_true("the first has its memory", || server.log.text().contains("memory is kept"));
    let body = while_others_are_served(&server, || release(keeper(&server, 24)).is_broken(500, "plugin_failed"));
    assert_eq!(body["error"], "the plugin used up its memory");
    release(first).ok();
    release(keeper(&server, 24)).ok();
}
