//! B31: proxies buffer streams or cut them.

use std::fs;
use std::io::Write;

use serde_json::json;

use crate::harness::{Events, Frame, Request, Server, Setup, wait};

/// A watch of the boundary.
fn watch(server: &Server) -> Request {
    server.request("GET", "/files/watch").query("path", server.base().to_str().unwrap())
}

/// B31: head and first event are there before anything happens, with all that keeps proxies from waiting.
#[test]
fn the_first_event_comes_at_once() {
    let server = Setup::new().start();
    let mut events = Events::open(&server, &watch(&server));
    assert_eq!(events.head.header("content-type"), Some("text/event-stream"));
    assert_eq!(events.head.header("cache-control"), Some("no-cache"));
    assert_eq!(events.head.header("x-accel-buffering"), Some("no"));
    assert_eq!(events.head.header("content-length"), None);
    assert_eq!(events.event(), Some(("ready".to_owned(), json!({"path": server.base().to_str()}))));
}

/// B31: a command is streamed like everything else, each line when it is there.
#[test]
fn each_line_of_a_command_is_sent_by_itself() {
    let server = Setup::new().start();
    let pipe = server.base().join("pipe");
    let command = "sh -c 'mkfifo pipe; echo ready; while read line; do echo $line; done <> pipe'";
    let body = json!({"command": command, "cwd": server.base().to_str()});
    let mut events = Events::open(&server, &server.request("POST", "/shell/stream").json(&body));
    assert_eq!(events.head.header("content-type"), Some("text/event-stream"));
    assert_eq!(events.head.header("cache-control"), Some("no-cache"));
    assert_eq!(events.head.header("x-accel-buffering"), Some("no"));
    assert_eq!(events.head.header("content-length"), None);
    assert_eq!(events.event(), Some(("stdout".to_owned(), json!({"data": "ready"}))));
    let mut pipe = fs::File::options().append(true).open(pipe).unwrap();
    for round in 0..20 {
        writeln!(pipe, "line {round}").unwrap();
        assert_eq!(events.event(), Some(("stdout".to_owned(), json!({"data": format!("line {round}")}))));
    }
}

/// B31: a stream on which nothing happens has a comment in every 15 s, and ends well when its time is up.
#[test]
fn a_silent_stream_shows_that_it_lives() {
    let server = Setup::new().start();
    let mut events = Events::open(&server, &watch(&server).query("timeout", "18"));
    assert_eq!(events.event().unwrap().0, "ready");
    assert_eq!(events.frame(), Some(Frame::Comment));
    let end = Frame::Event { name: "end".to_owned(), data: json!({"reason": "timeout"}) };
    assert_eq!(events.frame(), Some(end));
    assert_eq!(events.frame(), None);
}

/// B31: each event is sent when it comes, not when there are many.
#[test]
fn each_event_is_sent_by_itself() {
    let server = Setup::new().start();
    let mut events = Events::open(&server, &watch(&server));
    events.event().unwrap();
    for round in 0..20 {
        let path = server.base().join(format!("f{round}"));
        fs::create_dir(&path).unwrap();
        let told = json!({"type": "created", "path": path.to_str(), "is_dir": true});
        assert_eq!(events.event(), Some(("change".to_owned(), told)));
    }
}

/// How many watches the server holds open.
fn watches(server: &Server) -> usize {
    let descriptors = fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap();
    let targets = descriptors.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    targets.filter(|target| target.to_str() == Some("anon_inode:inotify")).count()
}

/// B31: a client that leaves ends its stream, and what was held for it.
#[test]
fn a_client_that_leaves_ends_its_stream() {
    let policy = json!({"endpoints": {"files_watch": {"limits": {"max_concurrency": 2}}}});
    let server = Setup::new().policy(&policy).start();
    let before = watches(&server);
    let streams: Vec<_> = (0..2)
        .map(|_| {
            let mut events = Events::open(&server, &watch(&server));
            events.event().unwrap();
            events
        })
        .collect();
    assert_eq!(watches(&server), before + 2);
    server.call(&watch(&server)).refused(429, "concurrency_limited");
    drop(streams);
    wait::until_true("the watches are gone", || watches(&server) == before);
    // The places are free again, too.
    wait::until_true("there is room", || {
        let mut connection = server.connect();
        connection.send(watch(&server).bytes());
        connection.head().status == 200
    });
}

/// B31: a client of HTTP/1.0 knows no chunks: its stream ends with the connection.
#[test]
fn a_stream_for_an_old_client_ends_with_the_connection() {
    let server = Setup::new().start();
    let mut connection = server.connect();
    let request = watch(&server).query("timeout", "0.1").bytes();
    let text = String::from_utf8(request).unwrap().replacen("HTTP/1.1", "HTTP/1.0", 1);
    connection.send(text);
    let head = connection.head();
    assert_eq!((head.status, head.header("transfer-encoding")), (200, None));
    let body = String::from_utf8(connection.rest()).unwrap();
    let expected = format!(
        "event: ready\ndata: {}\n\nevent: end\ndata: {}\n\n",
        json!({"path": server.base().to_str()}),
        json!({"reason": "timeout"})
    );
    assert_eq!(body, expected);
}

/// An error before the stream begins is an ordinary answer (contract: file_ops §11).
#[test]
fn what_fails_before_the_stream_is_answered_in_json() {
    let server = Setup::new().start();
    fs::write(server.base().join("file"), "").unwrap();
    let of =
        |path: &str| server.request("GET", "/files/watch").query("path", server.base().join(path).to_str().unwrap());
    server.call(&of("nope")).failed_as(404, "FileNotFoundError");
    server.call(&of("file")).failed_as(404, "FileNotFoundError");
    server.call(&server.request("GET", "/files/watch")).refused(400, "invalid_path");
    server.get("/files/watch", "/etc").refused(403, "path_not_allowed");
    for (name, value) in [("interval", "x"), ("timeout", "nan")] {
        // They are looked at before the path is.
        let outside = server.request("GET", "/files/watch").query("path", "/etc");
        server.call(&outside.query(name, value)).failed_as(400, "ValueError");
    }
}
