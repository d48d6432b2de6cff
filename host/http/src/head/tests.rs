use proptest::prelude::*;

use super::{Framing, Head, HeadScan};
use crate::rejection::Rejection;
use crate::settings::Settings;

fn scan(bytes: &[u8]) -> Result<Option<Head>, Rejection> {
    HeadScan::default().advance(bytes, &Settings::default())
}

/// One byte at a time, as the slowest client would.
fn scan_slowly(bytes: &[u8]) -> Result<Option<Head>, Rejection> {
    let mut scan = HeadScan::default();
    for end in 0..=bytes.len() {
        match scan.advance(&bytes[..end], &Settings::default()) {
            Ok(None) => {}
            outcome => return outcome,
        }
    }
    Ok(None)
}

fn head(text: &str) -> Head {
    scan(text.as_bytes()).unwrap().unwrap()
}

fn headers(count: usize) -> String {
    format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(count))
}

fn line_of(length: usize) -> String {
    format!("GET / HTTP/1.1\r\na:{}\r\n\r\n", "b".repeat(length - 2))
}

fn request_line_of(length: usize) -> String {
    format!("GET /{} HTTP/1.1\r\n\r\n", "p".repeat(length - "GET / HTTP/1.1".len()))
}

#[test]
fn heads_that_break_a_rule_are_refused() {
    let rows: &[(&str, Rejection)] = &[
        ("GET /health\r\n", Rejection::RequestLine),
        ("GET / x HTTP/1.1\r\n", Rejection::RequestLine),
        ("GET  / HTTP/1.1\r\n", Rejection::RequestLine),
        ("G(T / HTTP/1.1\r\n", Rejection::RequestLine),
        (" / HTTP/1.1\r\n", Rejection::RequestLine),
        ("GET / HTTX/1.1\r\n", Rejection::RequestLine),
        ("GET / http/1.1\r\n", Rejection::RequestLine),
        ("\u{16}\u{3}\u{1}", Rejection::RequestLine),
        ("PRI * HTTP/2.0\r\n", Rejection::Version),
        ("GET / HTTP/2.0\r\n", Rejection::Version),
        ("GET / HTTP/2\r\n", Rejection::Version),
        ("GET / HTTP/1.2\r\n", Rejection::Version),
        ("GET / HTTP/1.1\r\nno colon\r\n", Rejection::MissingColon),
        ("GET / HTTP/1.1\r\nName : value\r\n", Rejection::HeaderName),
        ("GET / HTTP/1.1\r\n: value\r\n", Rejection::HeaderName),
        ("GET / HTTP/1.1\r\nn\u{e9}: value\r\n", Rejection::HeaderName),
        ("GET / HTTP/1.1\r\na: b\r\n c\r\n", Rejection::FoldedHeader),
        ("GET / HTTP/1.1\r\n\ta: b\r\n", Rejection::FoldedHeader),
    ];
    for (text, rejection) in rows {
        assert_eq!(scan(text.as_bytes()), Err(*rejection), "{text:?}");
        assert_eq!(scan_slowly(text.as_bytes()), Err(*rejection), "{text:?} slowly");
    }
}

#[test]
fn limits_are_inclusive() {
    let longest_head = Settings::default().max_head_bytes;
    let rows: &[(&str, String, Option<Rejection>)] = &[
        ("longest request line", request_line_of(65_536), None),
        ("request line", request_line_of(65_537), Some(Rejection::RequestLineTooLong)),
        ("longest header line", line_of(65_536), None),
        ("header line", line_of(65_537), Some(Rejection::HeaderLineTooLong)),
        ("most headers", headers(100), None),
        ("headers", headers(101), Some(Rejection::TooManyHeaders)),
        ("body behind a head", headers(1) + &"x".repeat(longest_head), None),
    ];
    for (name, text, rejection) in rows {
        assert_eq!(scan(text.as_bytes()).err(), *rejection, "{name}");
    }
    let large = format!("GET / HTTP/1.1\r\n{}\r\n", format!("a: {}\r\n", "b".repeat(50_000)).repeat(6));
    assert_eq!(scan(large.as_bytes()), Err(Rejection::HeadTooLarge));
}

#[test]
fn lines_too_long_are_refused_before_they_end() {
    assert_eq!(scan(&[b'A'; 65_537]), Err(Rejection::RequestLineTooLong));
    let mut header = b"GET / HTTP/1.1\r\na:".to_vec();
    header.extend([b'b'; 65_536]);
    assert_eq!(scan(&header), Err(Rejection::HeaderLineTooLong));
}

#[test]
fn body_length_follows_the_contract() {
    let length =
        |fields: &str| scan(format!("POST / HTTP/1.1\r\n{fields}\r\n").as_bytes()).map(|head| head.unwrap().body);
    let refused = Err(Rejection::ContentLength);
    let rows: &[(&str, Result<Framing, Rejection>)] = &[
        ("", Ok(Framing::Length(0))),
        ("Content-Length: 0\r\n", Ok(Framing::Length(0))),
        ("content-LENGTH:21\r\n", Ok(Framing::Length(21))),
        ("Content-Length: \t 21 \t\r\n", Ok(Framing::Length(21))),
        ("Content-Length: 021\r\n", Ok(Framing::Length(21))),
        ("Content-Length: 10485761\r\n", Ok(Framing::Length(10_485_761))),
        ("Content-Length: 9223372036854775807\r\n", Ok(Framing::Length(i64::MAX as u64))),
        ("Content-Length: 9223372036854775808\r\n", refused),
        ("Content-Length: abc\r\n", refused),
        ("Content-Length: -1\r\n", refused),
        ("Content-Length: +21\r\n", refused),
        ("Content-Length: 21.0\r\n", refused),
        ("Content-Length:\r\n", refused),
        ("Content-Length: 21, 21\r\n", refused),
        ("Content-Length: \u{b2}\r\n", refused),
        ("Content-Length: 21\r\nContent-Length:  21 \r\n", Ok(Framing::Length(21))),
        ("Content-Length: 21\r\nContent-Length: 021\r\n", refused),
        ("Content-Length: 21\r\nContent-Length: 22\r\n", refused),
        ("Transfer-Encoding: chunked\r\n", Ok(Framing::Coded)),
        ("Content-Length: 5\r\nTransfer-Encoding: gzip\r\n", Ok(Framing::Coded)),
    ];
    for (fields, expected) in rows {
        assert_eq!(length(fields), *expected, "{fields:?}");
    }
    assert_eq!(length(&format!("Content-Length: {}\r\n", "9".repeat(5000))), refused);
}

#[test]
fn a_head_ends_with_its_empty_line() {
    let text = "GET / HTTP/1.0\r\nHost: x\r\n\r\n";
    let found = head(&format!("{text}GET /next"));
    assert_eq!((found.length, found.http10), (text.len(), true));
    assert_eq!(head("GET / HTTP/1.1\nHost: x\n\nrest").length, "GET / HTTP/1.1\nHost: x\n\n".len());
    assert_eq!(scan(b"GET / HTTP/1.1\r\nHost: x\r\n"), Ok(None));
}

#[test]
fn targets_without_a_path_are_found() {
    assert_eq!(head("GET ?x=1 HTTP/1.1\r\n\r\n").bare_target, Some(4));
    assert_eq!(head("OPTIONS #x HTTP/1.1\r\n\r\n").bare_target, Some(8));
    for target in ["/", "*", "/?x=1", "http://h?x=1", "health"] {
        assert_eq!(head(&format!("GET {target} HTTP/1.1\r\n\r\n")).bare_target, None, "{target}");
    }
}

#[test]
fn only_offers_of_foreign_protocols_are_found() {
    let text = "GET / HTTP/1.1\r\nUpgrade: h2c\r\nupgrade: WebSocket\r\nUPGRADE: TLS/1.0\r\n\r\n";
    let found: Vec<_> = head(text).foreign_upgrades.into_iter().map(|line| text.get(line).unwrap()).collect();
    assert_eq!(found, ["Upgrade: h2c\r\n", "UPGRADE: TLS/1.0\r\n"]);
}

proptest! {
    /// However the bytes are cut into reads, the outcome is the same.
    #[test]
    fn reads_may_be_cut_anywhere(
        lines in prop::collection::vec("[ -~]{0,12}|Content-Length: [0-9]{1,3}|a: b", 0..6),
        cuts in prop::collection::vec(0_usize..120, 0..6),
    ) {
        let text = format!("POST / HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"));
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < text.len()).collect();
        cuts.sort_unstable();
        cuts.push(text.len());
        let mut scan_cut = HeadScan::default();
        let mut outcome = Ok(None);
        for cut in cuts {
            outcome = scan_cut.advance(&text.as_bytes()[..cut], &Settings::default());
            if outcome != Ok(None) {
                break;
            }
        }
        prop_assert_eq!(outcome, scan(text.as_bytes()));
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(scan(&bytes).err(), scan_slowly(&bytes).err());
    }
}
