//! What clients say (contract: terminal, client to server).

use serde_json::json;

use super::Terminal;
use crate::harness::Setup;
use crate::harness::socket::{BINARY, TEXT, frame};

/// Messages that mean nothing: they are passed over, and the next one is heard.
const NOTHING: [&[u8]; 26] = [
    b"",
    b" ",
    b"not json",
    b"[]",
    b"5",
    b"null",
    b"true",
    b"\"input\"",
    b"{}",
    b"{\"type\":5}",
    b"{\"type\":null}",
    b"{\"type\":\"ping\"}",
    b"{\"type\":\"INPUT\",\"data\":\"exit\\n\"}",
    b"{\"type\":\"input\",\"data\":5}",
    b"{\"type\":\"input\",\"data\":[\"exit\\n\"]}",
    b"{\"type\":\"input\",\"data\":\"\\ud800\"}",
    b"{\"type\":\"input\",\"data\":\"\xff\"}",
    b"{\"type\":\"input\",\"data\":\"exit\\n\"",
    b"{\"type\":\"input\",\"data\":\"exit\\n\"} x",
    b"{\"type\":\"resize\",\"cols\":0,\"rows\":99999}",
    b"{\"type\":\"resize\",\"cols\":null,\"rows\":10}",
    b"{\"type\":\"resize\",\"cols\":\"x\",\"rows\":10}",
    b"{\"type\":\"resize\",\"cols\":10,\"rows\":-1}",
    b"{\"type\":\"signal\",\"signal\":\"SIGSTOP\"}",
    b"{\"type\":\"signal\",\"signal\":9}",
    b"{\"type\":\"signal\",\"signal\":null}",
];

#[test]
fn what_means_nothing_is_passed_over() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    for kind in [TEXT, BINARY] {
        for (number, message) in NOTHING.iter().enumerate() {
            client.socket.send(kind, message);
            let shown = client.runs(&format!("echo {kind}.{number}"));
            assert_eq!(shown, format!("{kind}.{number}\r\n"), "{:?}", String::from_utf8_lossy(message));
        }
    }
    // Depth costs nothing.
    client.socket.send(TEXT, "[".repeat(1_000_000));
    client.socket.send(TEXT, ["{\"a\":".repeat(100_000), "1".to_owned(), "}".repeat(100_000)].concat());
    assert_eq!(client.runs("stty size"), "24 80\r\n");
    assert_eq!(terminal.detail(&server)["alive"], true);
}

/// Text or binary, whole or in fragments with pings between them.
#[test]
fn messages_come_in_any_form() {
    // Where it is not UTF-8, the shell takes bytes for keys of its own.
    let server = Setup::new().env("LC_ALL", "C.UTF-8").start();
    let (_, mut client) = Terminal::at_prompt(&server);
    let message = |word: &str| json!({"type": "input", "data": format!("echo {word}''{word}\n")}).to_string();
    client.socket.send(BINARY, message("binary"));
    client.sees("binarybinary\r\n");
    let whole = message("f\u{e9}\u{4f60}").into_bytes();
    let (first, rest) = whole.split_at(1);
    client.socket.connection.send(frame(TEXT, first));
    for byte in rest {
        client.socket.connection.send(frame(0, &[*byte]));
        client.socket.connection.send(frame(0x89, b"between"));
    }
    client.socket.connection.send(frame(0x80, b""));
    for _ in rest {
        // Pongs come between outputs; each ping may be answered together with those after it.
        let heard = client.socket.hear();
        if heard.kind == TEXT {
            client.seen.push_str(&super::kit::output(&heard).unwrap());
            break;
        }
        assert_eq!((heard.kind, &heard.payload[..]), (10, &b"between"[..]));
    }
    while !client.seen.contains("f\u{e9}\u{4f60}f\u{e9}\u{4f60}\r\n") {
        let heard = client.socket.hear();
        if heard.kind == TEXT {
            client.seen.push_str(&super::kit::output(&heard).unwrap());
        }
    }
}

/// Defaults: no data is no input, a side that is not named stays.
#[test]
fn messages_take_effect_in_their_order() {
    let server = Setup::new().start();
    let (_, mut client) = Terminal::at_prompt(&server);
    client.socket.say(&json!({"type": "input"}));
    client.resizes(100, 30);
    client.socket.say(&json!({"type": "resize"}));
    client.socket.say(&json!({"type": "resize", "cols": " +1_10 "}));
    client.socket.say(&json!({"type": "resize", "rows": 31.9}));
    assert_eq!(client.runs("stty size"), "31 110\r\n");
    for number in 0..200 {
        client.types(&format!("echo {number}\n"));
    }
    client.types("echo 'en''d'\n");
    let text = client.sees("end\r\n");
    let numbers: Vec<u32> = text.lines().filter_map(|line| last_word(line).parse().ok()).collect();
    assert_eq!(numbers, (0..200).collect::<Vec<_>>());
}

/// What a line shows in the end, without what the shell does to the terminal before it runs a command.
fn last_word(line: &str) -> &str {
    line.trim_end().rsplit('\r').next().unwrap()
}

/// What came before a client's close is carried out, also by one that leaves at once.
#[test]
fn what_was_said_before_the_close_counts() {
    let server = Setup::new().start();
    let (terminal, mut client) = Terminal::at_prompt(&server);
    let file = server.base().join("written");
    client.types(&format!("echo said >{}\n", file.display()));
    client.socket.say_close(1000);
    drop(client);
    crate::harness::wait::until_true("it is done", || std::fs::read(&file).is_ok_and(|text| text == b"said\n"));
    let mut other = terminal.attach(&server);
    other.resizes(44, 11);
    drop(other);
    crate::harness::wait::until_true("it is done", || terminal.detail(&server)["cols"] == 44);
}

/// A megabyte that is pasted arrives, whatever the program makes of it meanwhile.
#[test]
fn a_megabyte_is_typed_whole() {
    let server = Setup::new().start();
    let (_, mut client) = Terminal::at_prompt(&server);
    let paste: String = (0..1_000_000_u32).map(|at| char::from(b'a' + (at % 26) as u8)).collect();
    let file = server.base().join("pasted");
    client
        .types(&format!("stty raw -echo; echo rea''dy; head -c 1000000 >{}; stty sane; echo do''ne\n", file.display()));
    client.sees("ready");
    client.types(&paste);
    client.sees("done");
    assert!(std::fs::read_to_string(file).unwrap() == paste);
}
