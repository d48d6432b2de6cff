//! B36: what callers run exhausts the machine, and the server goes first.

use serde_json::json;

use crate::harness::processes::{self, descendants};
use crate::harness::{MemoryGroup, Nap, Request, Server, Setup, wait};

fn score(pid: u32) -> Option<i32> {
    std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).ok()?.trim().parse().ok()
}

/// As one word of a command.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

#[track_caller]
fn is_healthy(server: &Server, times: usize) {
    for _ in 0..times {
        assert_eq!(server.call(&Request::new("GET", "/health")).ok(), json!({"status": "ok"}));
    }
}

/// B36: whoever runs short of memory is to end a child, not the server.
#[test]
fn children_are_ended_before_the_server() {
    let server = Setup::new().start();
    let own = score(server.pid()).unwrap();
    let nap = Nap::new();
    let command = format!("sh -c '{} & wait'", nap.command());
    server.process(&command, &json!({}));
    nap.begins();
    let tree: Vec<_> = descendants(server.pid()).iter().map(|process| process.pid).collect();
    wait::until_true("all of them are easier prey", || {
        tree.iter().all(|pid| score(*pid).is_none_or(|score| score > own || own == 1000))
    });
    assert_eq!(score(server.pid()), Some(own));
}

/// B36: a child that allocates without end is ended, its caller is told, and nobody else notices.
///
/// The memory that server and children share ends at 160 MiB, by a control group; where none can be made, what the child
/// itself may map does.
#[test]
fn a_child_without_measure_ends_alone() {
    let group = MemoryGroup::of("160M");
    let setup = match &group {
        Some(group) => Setup::new().under(group.entering()),
        None => Setup::new(),
    };
    let server = setup.start();
    let nap = Nap::new();
    server.process(&nap.command(), &json!({}));
    nap.begins();
    let hog = "exec python3 -c 'b\"x\" * 10**10'";
    let hog = if group.is_some() { hog.to_owned() } else { format!("ulimit -v 400000; {hog}") };
    let command = json!({"command": format!("sh -c {}", quoted(&hog))});
    let answer = std::thread::scope(|scope| {
        let call = scope.spawn(|| server.post("/shell", &command).ok());
        while !call.is_finished() {
            is_healthy(&server, 10);
        }
        call.join().unwrap()
    });
    assert_eq!(answer["exit_code"], if group.is_some() { -9 } else { 1 }, "{answer}");
    assert_eq!(nap.sleepers().len(), 1, "the other child was ended, too");
    assert_eq!(server.shell("echo hi").ok()["stdout"], "hi\n");
    drop(server);
}

/// B36: while hundreds of processes are being made, `/health` answers; and one signal ends them all.
#[test]
fn a_storm_of_processes_leaves_the_server_alone() {
    let server = Setup::new().start();
    let nap = Nap::new();
    let storm = format!("sh -c 'for i in $(seq 200); do {} & done; wait'", nap.command());
    let pid = server.process(&storm, &json!({}));
    nap.begins();
    is_healthy(&server, 20);
    wait::until_true("all of them are there", || nap.sleepers().len() == 200);
    is_healthy(&server, 20);
    assert_eq!(server.shell("echo hi").ok()["stdout"], "hi\n");
    server.post(&format!("/process/{pid}/signal"), &json!({"signal": 9})).ok();
    nap.is_gone();
    wait::until_true("nothing is left of them", || descendants(server.pid()).is_empty());
}

/// The same while every command floods its output, and nobody reads the streams.
#[test]
fn floods_of_output_leave_the_server_alone() {
    let server = Setup::new().start();
    let mut unread = server.connect();
    unread.send(server.request("POST", "/shell/stream").json(&json!({"command": "yes"})).bytes());
    let pids: Vec<_> = (0..4).map(|_| server.process("yes", &json!({"capture_output": true}))).collect();
    is_healthy(&server, 50);
    assert_eq!(server.shell("echo hi").ok()["stdout"], "hi\n");
    for pid in pids {
        server.post(&format!("/process/{pid}/signal"), &json!({"signal": 9})).ok();
    }
    drop(unread);
    wait::until_true("nothing is left", || processes::descendants(server.pid()).is_empty());
}

/// More commands at once than there are slots: all are answered, and `/health` meanwhile.
#[test]
fn a_burst_of_commands_is_served() {
    let server = Setup::new().start();
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| assert_eq!(server.shell("sh -c 'sleep 0.5; echo hi'").ok()["stdout"], "hi\n"));
        }
        is_healthy(&server, 20);
    });
}
