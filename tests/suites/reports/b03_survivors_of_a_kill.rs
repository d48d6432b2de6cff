//! B03: a kill reaches the process that was started, not what it started.

use serde_json::{Value, json};

use crate::harness::{Nap, Server, Setup, wait};

fn signal(server: &Server, pid: u64, signal: u8) {
    let answer = server.post(&format!("/process/{pid}/signal"), &json!({ "signal": signal }));
    assert_eq!(answer.ok(), json!({"pid": pid, "signal": signal}));
}

/// The end of a process, once it has one.
fn exit_code(server: &Server, pid: u64) -> Value {
    wait::until("it has ended", || {
        let detail = server.call(&server.request("GET", &format!("/process/{pid}"))).ok();
        (detail["state"] == "exited").then(|| detail["exit_code"].clone())
    })
}

/// B03: SIGKILL ends the whole tree.
#[test]
fn a_kill_ends_the_whole_tree() {
    let server = Setup::new().start();
    for form in ["sh -c 'NAP & wait'", "sh -c '(setsid NAP &) ; wait; cat'", "sh -c 'trap \"\" TERM; NAP & wait; wait'"]
    {
        let nap = Nap::new();
        let pid = server.process(&form.replace("NAP", &nap.command()), &json!({"stdin": true}));
        nap.begins();
        signal(&server, pid, 9);
        nap.is_gone();
        assert_eq!(exit_code(&server, pid), -9, "{form}");
    }
}

/// The gentle signals reach the group; what is left once the child has ended because of one goes too.
#[test]
fn a_gentle_end_takes_the_tree_along() {
    let server = Setup::new().start();
    for number in [2, 15] {
        for form in ["sh -c 'NAP & exec NAP'", "sh -c '(setsid NAP &) ; exec NAP'"] {
            let nap = Nap::new();
            let pid = server.process(&form.replace("NAP", &nap.command()), &json!({}));
            wait::until_true("both sleep", || nap.sleepers().len() == 2);
            signal(&server, pid, number);
            assert_eq!(exit_code(&server, pid), -i64::from(number), "{form}");
            nap.is_gone();
        }
    }
}

/// A child that handles the signal lives on, with its tree.
#[test]
fn a_child_that_handles_the_signal_goes_on() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let command = format!(
        "sh -c 'trap \"echo got it\" TERM; (trap \"\" TERM; exec {}) & echo ready; while :; do wait; done'",
        nap.command()
    );
    let pid = server.process(&command, &json!({"capture_output": true}));
    nap.begins();
    let output = || server.call(&server.request("GET", &format!("/process/{pid}/output"))).ok();
    let has = |text: &str| output()["events"].to_string().contains(text);
    wait::until_true("it is ready", || has("ready"));
    signal(&server, pid, 15);
    wait::until_true("it says so", || has("got it"));
    assert_eq!((&output()["state"], nap.sleepers().len()), (&json!("running"), 1));
}
