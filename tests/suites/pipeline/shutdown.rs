//! The end of a server (contract: cli, signals).

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::harness::{Connection, Events, Nap, Server, Setup, wait};

fn begin_upload(server: &Server, name: &str) -> Connection {
    let request = server.request("POST", "/upload").query("path", server.base().join(name).to_str().unwrap());
    let request = request.header("Content-Type", "application/octet-stream").header("Expect", "100-continue");
    let mut connection = server.connect();
    connection.send(request.header("Content-Length", "5").head());
    // The request is being handled once the server asks for its body.
    assert_eq!(connection.head().status, 100);
    connection
}

#[test]
fn an_idle_server_ends_at_once() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().start();
        // Connections that wait for nothing do not hold it up.
        let _silent = server.connect();
        let mut kept = server.connect();
        kept.call(&server.request("GET", "/health")).ok();
        server.signal(signal);
        let status = server.ended();
        assert_eq!(status.code(), Some(0), "{signal:?}: {:#?}", server.log.whole());
        kept.is_closed();
        assert!(Connection::try_open(server.port).is_err(), "the port is still open");
    }
}

/// A request in flight is answered; new ones are not accepted meanwhile.
#[test]
fn a_request_in_flight_is_answered() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().start();
        let mut connection = begin_upload(&server, "file");
        server.signal(signal);
        wait::until_true("the port is closed", || Connection::try_open(server.port).is_err());
        assert!(!server.has_ended());
        connection.send("hello");
        let answer = connection.answer();
        assert_eq!(answer.ok(), json!({"path": server.base().join("file").to_str(), "bytes": 5}));
        connection.is_closed();
        assert_eq!(server.ended().code(), Some(0));
        assert_eq!(std::fs::read(server.base().join("file")).unwrap(), b"hello");
    }
}

/// One that does not come to its end is cut, within the grace; nothing half-written is left.
#[test]
fn a_request_that_does_not_end_is_cut() {
    let mut server = Setup::new().start();
    std::fs::File::create(server.base().join("large")).unwrap().set_len(100 << 20).unwrap();
    let mut upload = begin_upload(&server, "file");
    upload.send("hel");
    let mut download = server.connect();
    let large = server.base().join("large");
    download.send(server.request("GET", "/download").query("path", large.to_str().unwrap()).bytes());
    assert_eq!(download.head().status, 200);
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
    let (sent, _) = download.rest_of_any_end();
    assert!(sent.len() < 100 << 20, "the whole file fits in the sockets");
    let names: Vec<_> = std::fs::read_dir(server.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["large"]);
}

/// So is a command: it comes to its end by itself, as others do.
#[test]
fn a_command_in_flight_comes_to_its_end() {
    let mut server = Setup::new().start();
    let (waits, go) = (server.base().join("waits"), server.base().join("go"));
    let script =
        format!("sh -c 'touch {}; until test -e {}; do sleep 0.01; done; echo done'", waits.display(), go.display());
    let mut connection = server.connect();
    connection.send(server.request("POST", "/shell").json(&json!({"command": script})).bytes());
    wait::until_true("it runs", || waits.exists());
    server.signal(Signal::TERM);
    wait::until_true("the port is closed", || Connection::try_open(server.port).is_err());
    std::fs::write(&go, "").unwrap();
    assert_eq!(connection.answer().ok(), json!({"exit_code": 0, "stdout": "done\n", "stderr": ""}));
    assert_eq!(server.ended().code(), Some(0));
}

/// One that does not is ended within the grace, and its caller is told what became of it.
#[test]
fn a_command_that_does_not_end_is_ended() {
    let mut server = Setup::new().start();
    let nap = Nap::new();
    let mut connection = server.connect();
    connection.send(server.request("POST", "/shell").json(&json!({"command": nap.command()})).bytes());
    nap.begins();
    server.signal(Signal::TERM);
    assert_eq!(connection.answer().ok()["exit_code"], -15);
    assert_eq!(server.ended().code(), Some(0));
    nap.is_gone();
}

/// A stream has no end of its own: it is broken off at the signal, so that nobody takes it for ended, and the server does
/// not wait for it as it does for others.
#[test]
fn a_stream_is_broken_off_at_once() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().start();
        let mut upload = begin_upload(&server, "file");
        let watch = server.request("GET", "/files/watch").query("path", server.base().to_str().unwrap());
        let mut events: Vec<_> = (0..20).map(|_| Events::open(&server, &watch)).collect();
        for events in &mut events {
            assert_eq!(events.event().unwrap().0, "ready");
        }
        server.signal(signal);
        for events in events {
            let (rest, ended_well) = events.rest_and_end();
            assert!(!ended_well && !rest.contains("event: end"), "{rest}");
        }
        // That was not the end of the grace: the request in flight still has its time.
        upload.send("hello");
        upload.answer().ok();
        assert_eq!(server.ended().code(), Some(0));
    }
}

/// Whoever asks twice does not get another answer than who asks once.
#[test]
fn a_second_signal_changes_nothing() {
    let mut server = Setup::new().start();
    let mut connection = begin_upload(&server, "file");
    server.signal(Signal::TERM);
    wait::until_true("the port is closed", || Connection::try_open(server.port).is_err());
    server.signal(Signal::TERM);
    server.signal(Signal::INT);
    connection.send("hello");
    connection.answer().ok();
    assert_eq!(server.ended().code(), Some(0));
}

/// What was said is written: the audit line of the last request, on stderr and in the file.
#[test]
fn the_log_is_complete() {
    let setup = Setup::new().policy(&json!({"defaults": {"audit": "all"}}));
    let file = setup.place("audit.log");
    let setup = setup.arg("--audit-file").arg(&file);
    let server = setup.start();
    for _ in 0..200 {
        server.get("/files/stat", server.base()).ok();
    }
    let log = server.stop();
    let count = |text: &str| text.lines().filter(|line| line.contains("files_stat")).count();
    assert_eq!((count(&log.join("\n")), count(&std::fs::read_to_string(file).unwrap())), (200, 200));
}

/// As the first process of a PID namespace, where signals without a handler are ignored.
#[test]
fn as_pid_1_it_ends_on_signals_too() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().with_pid_1().start();
        let inner = i32::try_from(server.inner_pid()).unwrap();
        let mut connection = begin_upload(&server, "file");
        kill_process(Pid::from_raw(inner).unwrap(), signal).unwrap();
        wait::until_true("the port is closed", || Connection::try_open(server.port).is_err());
        connection.send("hello");
        connection.answer().ok();
        // `unshare` hands on the exit code.
        assert_eq!(server.ended().code(), Some(0), "{signal:?}");
    }
}

/// The end has a bound, whatever clients do.
#[test]
fn the_grace_is_bounded() {
    let mut server = Setup::new().start();
    let _uploads: Vec<_> = (0..20).map(|number| begin_upload(&server, &number.to_string())).collect();
    let begin = std::time::Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}
