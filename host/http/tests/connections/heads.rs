//! Request heads: every row of the contract that a client can see (pipeline §2, §3, §5).

use abxd_http::Settings;

use crate::rig::Rig;

fn with_target(length: usize) -> String {
    format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "p".repeat(length - 1))
}

fn with_header(length: usize) -> String {
    format!("GET / HTTP/1.1\r\nx:{}\r\n\r\n", "v".repeat(length - 2))
}

/// Asserts that the answer comes, says that it is the last one, and is followed by a clean close.
async fn is_refused(rig: &Rig, request: &str, statuses: &[u16]) {
    let shown: String = request.chars().take(80).collect();
    let mut client = rig.send(request).await;
    let answer = client.answer().await;
    assert!(statuses.contains(&answer.status), "{} for {shown:?}", answer.status);
    assert_eq!(answer.header("connection"), Some("close"), "{shown:?}");
    assert!(answer.header("date").is_some(), "{shown:?}");
    client.closed().await;
}

#[tokio::test]
async fn heads_that_break_a_rule_are_answered() {
    let rig = Rig::echo(Settings::default());
    let rows: &[(&str, &[u16])] = &[
        ("GET / HTTP/2.0\r\n\r\n", &[505]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[505]),
        ("GET / HTTP/1.2\r\n\r\n", &[505]),
        ("GET / SPDY/1.1\r\n\r\n", &[400]),
        ("GET / x HTTP/1.1\r\n\r\n", &[400]),
        ("GET /x\r\n\r\n", &[400]),
        ("\u{16}\u{3}\u{1}\u{2}", &[400]),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", &[400]),
        ("GET / HTTP/1.1\r\nName : value\r\n\r\n", &[400]),
        ("GET / HTTP/1.1\r\na: b\r\n c\r\n\r\n", &[400]),
        ("GET / HTTP/1.1\r\na: b\u{0}c\r\n\r\n", &[400]),
        ("GET / HTTP/1.1\r\na: b\rc\r\n\r\n", &[400]),
        ("GET http://[::1/health HTTP/1.1\r\n\r\n", &[400]),
        ("GET /a\u{1}b HTTP/1.1\r\n\r\n", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: abc\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: 2.0\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length:\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: 2, 2\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: \u{b2}\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 02\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nTransfer-Encoding:\r\nContent-Length: 2\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n{}", &[400]),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", &[400]),
    ];
    for (request, statuses) in rows {
        is_refused(&rig, request, statuses).await;
    }
    is_refused(&rig, &format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", "9".repeat(5000)), &[400, 413]).await;
}

#[tokio::test]
async fn limits_of_the_head_have_their_statuses() {
    let rig = Rig::echo(Settings::default());
    is_refused(&rig, &with_target(65_536), &[414]).await;
    is_refused(&rig, &with_target(500_000), &[414]).await;
    is_refused(&rig, &with_header(65_537), &[431]).await;
    is_refused(&rig, &with_header(2_000_000), &[431]).await;
    is_refused(&rig, &format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(101)), &[431]).await;
}

#[tokio::test]
async fn heads_at_their_limits_are_served() {
    let rig = Rig::echo(Settings::default());
    let requests = [
        with_target(65_536 - "GET  HTTP/1.1".len()),
        with_header(65_536),
        format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(100)),
        format!("GET / HTTP/1.1\r\n{}\r\n", format!("a: {}\r\n", "b".repeat(50_000)).repeat(5)),
    ];
    let mut client = rig.connect().await;
    for request in requests {
        client.send(&request).await;
        assert_eq!(client.answer().await.status, 200);
    }
}

#[tokio::test]
async fn targets_arrive_as_the_contract_says() {
    let rig = Rig::echo(Settings::default());
    let rows = [
        ("/health///", "/health///"),
        ("//health", "//health"),
        ("/h%65alth", "/h%65alth"),
        ("/files%2Flist?x=%zz", "/files%2Flist?x=%zz"),
        ("/health;x=1", "/health;x=1"),
        ("/health#x", "/health"),
        ("http://any/health?a=1", "/health?a=1"),
        ("http://any", "/"),
        ("/", "/"),
        ("?x=1", "/?x=1"),
        ("/a?b?c", "/a?b?c"),
        ("*", "*"),
        ("/\u{e9}", "/\u{e9}"),
    ];
    let mut client = rig.connect().await;
    for (target, path) in rows {
        client.send(format!("GET {target} HTTP/1.1\r\n\r\n")).await;
        assert_eq!(client.answer().await.body, format!("GET {path} "), "{target}");
    }
}

#[tokio::test]
async fn any_method_word_is_served() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.connect().await;
    for method in ["OPTIONS", "PATCH", "TRACE", "get", "BREW", "PUT", "DELETE"] {
        client.send(format!("{method} /x HTTP/1.1\r\n\r\n")).await;
        assert_eq!(client.answer().await.body, format!("{method} /x "));
    }
}

#[tokio::test]
async fn lenient_heads_are_served() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.connect().await;
    for request in [
        "GET / HTTP/1.1\r\n\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\n\n",
        "GET / HTTP/1.1\r\nempty:\r\nlatin: \u{e9}\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
    ] {
        client.send(request).await;
        assert_eq!(client.answer().await.status, 200, "{request:?}");
    }
    client.send("POST / HTTP/1.1\r\nContent-Length: 02\r\nContent-Length:  02\r\n\r\nab").await;
    assert_eq!(client.answer().await.body, "POST / ab");
}

#[tokio::test]
async fn a_head_may_come_in_pieces() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.connect().await;
    client.stream.set_nodelay(true).unwrap();
    for byte in b"POST /slow HTTP/1.1\r\nContent-Length: 2\r\n\r\nok" {
        client.send([*byte]).await;
    }
    assert_eq!(client.answer().await.body, "POST /slow ok");
}

#[tokio::test]
async fn a_refused_head_does_not_hurt_the_answers_before_it() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGARBAGE\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "GET /a ");
    assert_eq!(client.answer().await.body, "GET /b ");
    assert_eq!(client.answer().await.status, 400);
    client.closed().await;
}

#[tokio::test]
async fn a_client_that_writes_on_gets_its_refusal() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.connect().await;
    client.send("GET / HTTP/1.1\r\nx: ").await;
    // Far more than any socket buffer: the write ends only because the server swallows it.
    client.send(vec![b'a'; 20 * 1024 * 1024]).await;
    assert_eq!(client.answer().await.status, 431);
}

#[tokio::test]
async fn an_end_inside_a_head_is_answered() {
    let rig = Rig::echo(Settings::default());
    let mut client = rig.send("GET / HTTP/1.1\r\nHos").await;
    tokio::io::AsyncWriteExt::shutdown(&mut client.stream).await.unwrap();
    assert_eq!(client.answer().await.status, 400);
    client.closed().await;
}
