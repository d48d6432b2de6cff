//! `abxd healthcheck`: an exit code, and not a word.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use crate::harness::{Program, Setup, free_port};

#[track_caller]
fn check(arguments: &[&str], code: i32) {
    let outcome = Program::abxd([&["healthcheck"], arguments].concat()).run();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(code), ""), "{arguments:?}: {outcome:?}");
}

/// A port where somebody gives this answer once, and then nothing more.
fn stub(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let _ = stream.read(&mut request);
        let _ = stream.write_all(answer);
        // Open until the client goes.
        let _ = stream.read(&mut request);
    });
    port.to_string()
}

#[test]
fn a_healthy_server_is_0() {
    let server = Setup::new().with_token().start();
    let port = server.port.to_string();
    check(&["--port", &port], 0);
    check(&["--port", &port, "--host", "localhost", "--timeout", "30"], 0);
    check(&["--port", &port, "--host", "127.0.0.1", "--timeout", "30.5"], 0);
}

/// No proxy is asked for what is on this machine.
#[test]
fn proxies_are_not_used() {
    let server = Setup::new().start();
    let proxy = format!("http://127.0.0.1:{}", stub(b"HTTP/1.1 500 No\r\n\r\n"));
    let mut program = Program::abxd(["healthcheck", "--timeout", "30", "--port", &server.port.to_string()]);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        program = program.env(name, &proxy);
    }
    assert_eq!(program.run().code, Some(0));
}

#[test]
fn everything_else_is_1() {
    check(&["--port", &free_port().to_string()], 1);
    check(&["--port", "70000"], 1);
    check(&["--port", "-1"], 1);
    check(&["--port", "9000", "--host", "no-such-host.invalid"], 1);
    check(&["--port", "9000", "--timeout", "-1"], 1);
    for answer in [
        &b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"[..],
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 401 Unauthorized\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n",
        b"SSH-2.0-200\r\n",
        b"200\r\n",
    ] {
        check(&["--port", &stub(answer), "--timeout", "30"], 1);
    }
}

/// The time limit is for the whole, and is kept when nothing comes at all.
#[test]
fn silence_is_1_when_the_time_is_up() {
    for begun in [&b""[..], b"HTTP/1.1"] {
        let port = stub(begun);
        let outcome = Program::abxd(["healthcheck", "--port", &port, "--timeout", "0.2"]).run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome:?}");
        assert!(outcome.took > Duration::from_millis(200), "{:?}", outcome.took);
    }
}
