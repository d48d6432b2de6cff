//! What a download says of its content (contract: file_ops §13.2).

use std::fs;

use crate::harness::Setup;

#[test]
fn the_type_follows_from_the_extension() {
    let server = Setup::new().start();
    for (name, kind) in [
        ("a.txt", "text/plain; charset=utf-8"),
        ("a.TXT", "text/plain; charset=utf-8"),
        ("a.tar.txt", "text/plain; charset=utf-8"),
        ("a.md", "text/markdown; charset=utf-8"),
        ("a.html", "text/html; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.csv", "text/csv; charset=utf-8"),
        ("a.json", "application/json"),
        ("a.pdf", "application/pdf"),
        ("a.png", "image/png"),
        ("a.jpg", "image/jpeg"),
        ("a.svg", "image/svg+xml"),
        ("a.zip", "application/zip"),
        ("a.bin", "application/octet-stream"),
        ("a.nonsense", "application/octet-stream"),
        ("txt", "application/octet-stream"),
        (".txt", "application/octet-stream"),
        ("a.", "application/octet-stream"),
    ] {
        let path = server.base().join(name);
        fs::write(&path, "x").unwrap();
        let answer = server.get("/download", &path);
        assert_eq!(answer.header("content-type"), Some(kind), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("content-length"), Some("1"));
        assert_eq!(answer.header("accept-ranges"), Some("bytes"));
        assert_eq!(answer.header("content-encoding"), None);
        assert_eq!(answer.header("transfer-encoding"), None);
    }
}

/// A body is never compressed on the way, whatever the client would take.
#[test]
fn bytes_are_sent_as_they_are() {
    let server = Setup::new().start();
    let path = server.base().join("a.txt");
    let content = "a".repeat(100_000);
    fs::write(&path, &content).unwrap();
    let request = server.request("GET", "/download").query("path", path.to_str().unwrap());
    let answer = server.call(&request.header("Accept-Encoding", "gzip, br, zstd").header("Accept", "text/html"));
    assert_eq!((answer.header("content-encoding"), answer.text()), (None, content));
}
