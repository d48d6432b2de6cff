//! Uploads as forms, and how the form of an upload is told (contract: file_ops §12.1).

use std::fs;

use serde_json::json;

use crate::harness::{Answer, Server, Setup};

const TYPE: &str = "multipart/form-data; boundary=\"b o'u\"";

/// A part with these header lines.
fn part(headers: &str, content: &[u8]) -> Vec<u8> {
    [b"--b o'u\r\n", headers.as_bytes(), b"\r\n\r\n", content, b"\r\n"].concat()
}

fn field(name: &str, content: &[u8]) -> Vec<u8> {
    part(&format!("Content-Disposition: form-data; name=\"{name}\""), content)
}

fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), b"--b o'u--\r\n".to_vec()].concat()
}

fn send(server: &Server, query: Option<&str>, body: Vec<u8>) -> Answer {
    let request = server.request("POST", "/upload").header("Content-Type", TYPE).body(body);
    server.call(&query.into_iter().fold(request, |request, path| request.query("path", path)))
}

fn names(server: &Server) -> Vec<String> {
    let entries = fs::read_dir(server.base()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_form_is_stored_wherever_its_path_stands() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let text = path.to_str().unwrap();
    // Everything that could be taken for a border.
    let content = b"\r\n--b o'\r\n-- \xff\0--b o'u\r\n\n--b o'u--\r\n".as_slice();
    for (query, parts) in [
        (None, vec![field("path", text.as_bytes()), field("file", content)]),
        (None, vec![field("file", content), field("path", text.as_bytes())]),
        (Some(text), vec![field("file", content)]),
        (Some(text), vec![field("path", text.as_bytes()), field("file", content)]),
        (Some(text), vec![field("x", b"y"), field("file", content), field("x", b"z")]),
        (Some(text), vec![part("content-disposition: Form-Data; NAME=file\r\nContent-Type: a/b", content)]),
        (
            Some(text),
            vec![part("Content-Disposition: form-data; name=\"file\"\r\nContent-Transfer-Encoding: 8bit", content)],
        ),
    ] {
        let body = form(&parts);
        let shown = String::from_utf8_lossy(&body).into_owned();
        // The first border is no content: the line before it neither.
        let answer = send(&server, query, [b"a preamble\r\n".to_vec(), body, b"an epilogue".to_vec()].concat());
        assert_eq!(answer.ok(), json!({"path": text, "bytes": content.len()}), "{shown}");
        assert_eq!(fs::read(&path).unwrap(), content, "{shown}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_form_that_is_malformed_stores_nothing() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let text = path.to_str().unwrap();
    let whole = form(&[field("path", text.as_bytes()), field("file", b"content")]);
    for body in [
        b"".to_vec(),
        b"nonsense".to_vec(),
        whole[..whole.len() - 6].to_vec(),
        whole[..whole.len() / 2].to_vec(),
        form(&[field("path", text.as_bytes())]),
        form(&[field("path", text.as_bytes()), field("file", b"a"), field("file", b"b")]),
        form(&[
            field("path", text.as_bytes()),
            part("Content-Disposition: form-data", b"no name"),
            field("file", b"a"),
        ]),
        form(&[field("path", text.as_bytes()), part("X: y", b"no disposition"), field("file", b"a")]),
        form(&[field("path", b"/\xff\xfe"), field("file", b"a")]),
        form(&[
            field("path", text.as_bytes()),
            part("Content-Disposition: form-data; name=\"file\"\r\nContent-Transfer-Encoding: base64", b"aGk="),
        ]),
        form(&[field("path", text.as_bytes()), field("x", &[b'x'; 70_000]), field("file", b"a")]),
    ] {
        let answer = send(&server, None, body.clone());
        assert_eq!(answer.failed(400)["type"], "ValueError", "{}", String::from_utf8_lossy(&body));
        assert_eq!(names(&server), [] as [&str; 0]);
    }
    for kind in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\""] {
        let request = server.request("POST", "/upload").query("path", text).header("Content-Type", kind);
        server.call(&request.body(whole.clone())).failed_as(400, "ValueError");
    }
}

/// Where the path is not said once and only once.
#[test]
fn a_path_stands_in_one_place() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let (text, other) = (path.to_str().unwrap(), "/other");
    send(&server, Some(other), form(&[field("path", text.as_bytes()), field("file", b"a")]))
        .refused(400, "duplicate_parameter");
    send(&server, None, form(&[field("file", b"a")])).refused(400, "invalid_path");
    send(&server, None, form(&[field("path", b""), field("file", b"a")])).refused(400, "invalid_path");
    let body = json!({"path": text, "content_base64": ""});
    let post = |query: &str| server.call(&server.request("POST", "/upload").query("path", query).json(&body));
    post(other).refused(400, "duplicate_parameter");
    post(text).ok();
    server.post("/upload", &json!({"content_base64": ""})).refused(400, "invalid_path");
}

/// The table of §12.1: what a body is taken for.
#[test]
fn the_form_of_a_body_follows_from_type_and_query() {
    let server = Setup::new().start();
    let path = server.base().join("file");
    let body = json!({"path": path.to_str().unwrap(), "content_base64": "aGk="}).to_string();
    for (kind, has_query, is_raw) in [
        (Some("application/octet-stream"), true, true),
        (Some("APPLICATION/Octet-Stream; x=y"), true, true),
        (Some("text/plain"), true, true),
        (Some("image/png"), true, true),
        (None, true, true),
        (Some("application/json"), true, false),
        (Some("Application/JSON; charset=utf-8"), true, false),
        (Some("application/vnd.api+json"), true, false),
        (Some("text/plain"), false, false),
        (None, false, false),
        (Some("application/json"), false, false),
    ] {
        let request = server.request("POST", "/upload").body(body.clone());
        let request = kind.into_iter().fold(request, |request, kind| request.header("Content-Type", kind));
        let request = if has_query { request.query("path", path.to_str().unwrap()) } else { request };
        server.call(&request).ok();
        let expected = if is_raw { body.as_bytes() } else { b"hi" };
        assert_eq!(fs::read(&path).unwrap(), expected, "{kind:?}, {has_query}");
    }
    // Raw, but nothing says where to.
    let raw = server.request("POST", "/upload").header("Content-Type", "application/octet-stream");
    server.call(&raw.body(body)).refused(400, "invalid_path");
}

/// Where the path is a folder, the file's own name is taken; where not, it is not looked at.
#[test]
fn a_folder_takes_the_files_name() {
    let server = Setup::new().start();
    let folder = server.base();
    let named = |name: &str| part(&format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\""), b"x");
    let text = folder.to_str().unwrap();
    let answer = send(&server, Some(text), form(&[named("name.txt")])).ok();
    assert_eq!(answer["path"], folder.join("name.txt").to_str().unwrap());
    let other = folder.join("other");
    assert_eq!(send(&server, other.to_str(), form(&[named("../../x")])).ok()["path"], other.to_str().unwrap());
    send(&server, Some(text), form(&[field("file", b"x")])).failed_as(500, "IsADirectoryError");
    for name in ["", ".", "..", "a/b", "a\\\\b", "../x", "/etc/x"] {
        send(&server, Some(text), form(&[named(name)])).refused(400, "invalid_path");
    }
}
