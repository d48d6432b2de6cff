//! Parts of a file (contract: file_ops §13.4).

use serde_json::json;

use crate::harness::{Answer, Server, Setup};

const SIZE: usize = 1000;

fn content() -> Vec<u8> {
    (0..SIZE).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

fn stage() -> Server {
    let server = Setup::new().start();
    std::fs::write(server.base().join("file"), content()).unwrap();
    server
}

fn get(server: &Server, headers: &[(&str, &str)]) -> Answer {
    let request = server.request("GET", "/download").query("path", server.base().join("file").to_str().unwrap());
    server.call(&headers.iter().fold(request, |request, (name, value)| request.header(name, value)))
}

/// The answer is this part of the file, first and last byte, and says so.
#[track_caller]
fn is_part(answer: &Answer, first: usize, last: usize) {
    assert_eq!(answer.status, 206, "{answer:?}");
    assert_eq!(answer.body, content()[first..=last]);
    assert_eq!(answer.header("content-range"), Some(&*format!("bytes {first}-{last}/{SIZE}")));
    assert_eq!(answer.header("content-length"), Some(&*(last - first + 1).to_string()));
    for name in ["etag", "last-modified", "accept-ranges", "content-type", "content-disposition", "cache-control"] {
        assert!(answer.header(name).is_some(), "{name}: {answer:?}");
    }
}

#[track_caller]
fn is_whole(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-range"), None);
    assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    assert_eq!(answer.body, content());
}

#[test]
fn ranges_inside_the_file_are_sent() {
    let server = stage();
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=0-99", 0, 99),
        ("bytes=100-199", 100, 199),
        ("bytes=999-999", 999, 999),
        ("bytes=999-", 999, 999),
        ("bytes=0-", 0, 999),
        ("bytes=900-2000", 900, 999),
        ("bytes=0-99999999999999999999999999", 0, 999),
        ("bytes=-1", 999, 999),
        ("bytes=-100", 900, 999),
        ("bytes=-1000", 0, 999),
        ("bytes=-5000", 0, 999),
        ("bytes=-99999999999999999999999999", 0, 999),
        ("Bytes=5-6", 5, 6),
        ("bytes=007-008", 7, 8),
    ] {
        is_part(&get(&server, &[("Range", range)]), first, last);
    }
}

#[test]
fn ranges_behind_the_end_cannot_be_satisfied() {
    let server = stage();
    for range in ["bytes=1000-", "bytes=1000-1001", "bytes=5000-", "bytes=-0", "bytes=99999999999999999999999999-"] {
        let answer = get(&server, &[("Range", range)]);
        let body = answer.refused(416, "range_not_satisfiable");
        assert_eq!(body["type"], "ValueError");
        assert_eq!(answer.header("content-range"), Some("bytes */1000"), "{range}");
        assert_eq!(answer.header("etag"), None, "{range}");
    }
}

#[test]
fn what_is_no_single_range_is_ignored() {
    let server = stage();
    for range in [
        "bytes=0-1,5-6",
        "bytes=5-6,bytes=7-8",
        "bytes=6-5",
        "bytes=a-b",
        "bytes=-",
        "bytes=",
        "bytes",
        "bytes=1",
        "bytes=1-2-3",
        "bytes=--1",
        "bytes=+1-2",
        "bytes=0x1-2",
        "items=0-1",
        "5-6",
        "",
    ] {
        is_whole(&get(&server, &[("Range", range)]));
    }
    // Other methods have none.
    let request = server.request("GET", "/files/download-stream").header("Range", "bytes=0-0");
    let body = server.call(&request.query("path", server.base().join("file").to_str().unwrap())).ok();
    assert_eq!(body["bytes"], SIZE);
}

/// `If-Range`: the part only if the file is still the one that the client has (contract: file_ops §13.3, row 5).
#[test]
fn a_range_is_bound_to_a_version() {
    let server = stage();
    let path = server.base().join("file");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    let whole = get(&server, &[]);
    let (tag, date) = (whole.header("etag").unwrap().to_owned(), whole.header("last-modified").unwrap().to_owned());
    let part = |validator: &str| get(&server, &[("Range", "bytes=1-2"), ("If-Range", validator)]);
    is_part(&part(&tag), 1, 2);
    is_part(&part(&date), 1, 2);
    for other in [&*format!("W/{tag}"), "\"other\"", "Sun, 06 Nov 1994 08:49:37 GMT", "nonsense", "*"] {
        is_whole(&part(other));
    }
    // Without a range it says nothing.
    is_whole(&get(&server, &[("If-Range", "\"other\"")]));
    // A range behind the end of another version is no error either.
    is_whole(&get(&server, &[("Range", "bytes=5000-"), ("If-Range", "\"other\"")]));

    std::fs::write(&path, content()).unwrap();
    is_whole(&part(&tag));
    // A date of this second proves nothing.
    let date = get(&server, &[]).header("last-modified").unwrap().to_owned();
    let young = part(&date);
    assert!(young.status == 200 || path.metadata().unwrap().modified().unwrap().elapsed().unwrap().as_secs() >= 1);
}

/// A limit is for the file, whatever part of it is asked for.
#[test]
fn a_part_of_a_file_over_the_limit_is_refused() {
    let policy = json!({"endpoints": {"files_download": {"limits": {"max_bytes": SIZE}}}});
    let server = Setup::new().policy(&policy).start();
    let path = server.base().join("file");
    std::fs::write(&path, content()).unwrap();
    is_part(&get(&server, &[("Range", "bytes=0-0")]), 0, 0);
    std::fs::write(&path, vec![0; SIZE + 1]).unwrap();
    for headers in [&[][..], &[("Range", "bytes=0-0")]] {
        assert_eq!(get(&server, headers).refused(413, "payload_too_large")["limit"], SIZE);
    }
}

/// A download that is taken up again is the same file.
#[test]
fn parts_make_up_the_whole() {
    let server = stage();
    let mut connection = server.connect();
    let request = server.request("GET", "/download").query("path", server.base().join("file").to_str().unwrap());
    let tag = connection.call(&request).header("etag").unwrap().to_owned();
    let mut whole = Vec::new();
    while whole.len() < SIZE {
        let range = format!("bytes={}-{}", whole.len(), whole.len() + 36);
        let answer = connection.call(&request.clone().header("Range", range).header("If-Range", &tag));
        assert_eq!(answer.status, 206);
        whole.extend(answer.body);
    }
    assert_eq!(whole, content());
}
