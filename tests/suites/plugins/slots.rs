//! Slots: a group that has all of its own in use has none of anybody else's.

use serde_json::json;

use super::component::budget;
use super::neighbours::while_others_are_served;
use crate::harness::{Setup, wait};

#[test]
fn a_group_that_holds_every_slot_hurts_itself_only() {
    let policy = budget(&json!({"slots": 2, "wait_seconds": 0.05}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let mut holders: Vec<_> = (0..2).map(|_| server.connect()).collect();
    for holder in &mut holders {
        holder.send(server.request("POST", "/hostile/keep").body("{}").head());
    }
    wait::until_true("both slots are taken", || server.ask("/hostile/nothing").status == 503);
    while_others_are_served(&server, || {
        let body = server.breaks("/hostile/nothing", 503, "plugin_unavailable");
        assert_eq!(body["endpoint"], "hostile_nothing");
        assert_eq!(body["error"], "all 2 slots of the group stayed in use for 0.05 s");
    });
    // Being busy is no breakdown.
    assert_eq!(server.plugin("hostile")["state"], "serving");
    for holder in &mut holders {
        holder.send("{}");
        assert_eq!(holder.answer().ok(), json!({"kept": 0}));
    }
    assert_eq!(server.ask("/hostile/nothing").status, 204);
}

#[test]
fn a_request_waits_for_a_slot() {
    let policy = budget(&json!({"slots": 1, "wait_seconds": 60}));
    let server = Setup::new().with_hostile().policy(&policy).start();
    let mut holder = server.connect();
    holder.send(server.request("POST", "/hostile/keep").body("{}").head());
    let mut waiter = server.connect();
    waiter.send(server.request("GET", "/hostile/nothing").bytes());
    while_others_are_served(&server, || ());
    holder.send("{}");
    holder.answer().ok();
    assert_eq!(waiter.answer().status, 204);
}
