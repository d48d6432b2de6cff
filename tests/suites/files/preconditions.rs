//! Conditional downloads (contract: file_ops §13.3).

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use crate::harness::{Answer, Server, Setup};

/// 2001-09-09 01:46:40 UTC.
const MODIFIED: u64 = 1_000_000_000;
const AT: &str = "Sun, 09 Sep 2001 01:46:40 GMT";
const BEFORE: &str = "Sun, 09 Sep 2001 01:46:39 GMT";
const AFTER: &str = "Sun, 09 Sep 2001 01:46:41 GMT";

struct Stage {
    server: Server,
    tag: String,
}

impl Stage {
    fn new() -> Self {
        let server = Setup::new().start();
        let path = server.base().join("file.txt");
        fs::write(&path, "content").unwrap();
        let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(MODIFIED * 1000 + 999);
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        let mut stage = Self { server, tag: String::new() };
        stage.tag = stage.get(&[]).header("etag").unwrap().to_owned();
        stage
    }

    fn get(&self, headers: &[(&str, &str)]) -> Answer {
        let path = self.server.base().join("file.txt");
        let request = self.server.request("GET", "/download").query("path", path.to_str().unwrap());
        self.server.call(&headers.iter().fold(request, |request, (name, value)| request.header(name, value)))
    }

    /// `TAG` in a value stands for the file's entity tag.
    fn status(&self, headers: &[(&str, &str)]) -> u16 {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.replace("TAG", &self.tag))).collect();
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.get(&headers).status
    }
}

#[test]
fn validators_are_what_the_contract_says() {
    let stage = Stage::new();
    assert!(stage.tag.starts_with('"') && stage.tag.ends_with('"') && stage.tag.len() > 2, "{}", stage.tag);
    let answer = stage.get(&[]);
    assert_eq!(answer.header("last-modified"), Some(AT), "seconds are cut, not rounded");
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    // The same file has the same tag; another size, time or inode another one.
    assert_eq!(stage.get(&[]).header("etag"), Some(&*stage.tag));
    let path = stage.server.base().join("file.txt");
    let mut tags = vec![stage.tag.clone()];
    let mut changed = |change: &dyn Fn()| {
        change();
        let tag = stage.get(&[]).header("etag").unwrap().to_owned();
        assert!(!tags.contains(&tag), "{tag}");
        tags.push(tag);
    };
    let set = |nanoseconds: u64| {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_nanos(MODIFIED * 1_000_000_000 + nanoseconds);
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    };
    changed(&|| set(1));
    changed(&|| set(2));
    changed(&|| {
        fs::write(&path, "longer content").unwrap();
        set(2);
    });
    changed(&|| {
        let other = stage.server.base().join("other");
        fs::write(&other, "longer content").unwrap();
        fs::rename(&other, &path).unwrap();
        set(2);
    });
}

/// A time of modification in the future is not said to be one.
#[test]
fn last_modified_is_never_in_the_future() {
    let stage = Stage::new();
    let path = stage.server.base().join("file.txt");
    let future = SystemTime::now() + Duration::from_secs(1_000_000);
    File::options().write(true).open(path).unwrap().set_modified(future).unwrap();
    let answer = stage.get(&[]);
    assert_eq!(answer.header("last-modified"), answer.header("date"));
}

#[test]
fn each_condition_alone() {
    let stage = Stage::new();
    for (name, value, status) in [
        ("If-Match", "TAG", 200),
        ("If-Match", "*", 200),
        ("If-Match", "\"a\", TAG", 200),
        ("If-Match", "\"a\",\"b, c\" , TAG,", 200),
        ("If-Match", "\"other\"", 412),
        ("If-Match", "W/TAG", 412),
        ("If-Unmodified-Since", AT, 200),
        ("If-Unmodified-Since", AFTER, 200),
        ("If-Unmodified-Since", BEFORE, 412),
        ("If-Unmodified-Since", "nonsense", 200),
        ("If-Unmodified-Since", "Sunday, 09-Sep-01 01:46:39 GMT", 412),
        ("If-None-Match", "TAG", 304),
        ("If-None-Match", "W/TAG", 304),
        ("If-None-Match", "\"a\", W/TAG", 304),
        ("If-None-Match", "*", 304),
        ("If-None-Match", "\"other\"", 200),
        ("If-Modified-Since", AT, 304),
        ("If-Modified-Since", AFTER, 304),
        ("If-Modified-Since", BEFORE, 200),
        ("If-Modified-Since", "nonsense", 200),
        ("If-Modified-Since", "Sun Sep  9 01:46:40 2001", 304),
    ] {
        assert_eq!(stage.status(&[(name, value)]), status, "{name}: {value}");
    }
}

/// Of two conditions the stronger one counts, and a failed one is before one that saves the transfer.
#[test]
fn conditions_together() {
    let stage = Stage::new();
    for (headers, status) in [
        // An entity tag outweighs a date.
        (&[("If-Match", "TAG"), ("If-Unmodified-Since", BEFORE)][..], 200),
        (&[("If-Match", "\"other\""), ("If-Unmodified-Since", AFTER)], 412),
        (&[("If-None-Match", "\"other\""), ("If-Modified-Since", AFTER)], 200),
        (&[("If-None-Match", "TAG"), ("If-Modified-Since", BEFORE)], 304),
        (&[("If-None-Match", "nonsense"), ("If-Modified-Since", AFTER)], 200),
        (&[("If-Match", "\"other\""), ("If-None-Match", "TAG")], 412),
        (&[("If-Match", "TAG"), ("If-None-Match", "TAG")], 304),
        (&[("If-Unmodified-Since", BEFORE), ("If-None-Match", "TAG")], 412),
        // Conditions come before ranges.
        (&[("If-Match", "\"other\""), ("Range", "bytes=0-0")], 412),
        (&[("If-None-Match", "TAG"), ("Range", "bytes=0-0")], 304),
        (&[("If-None-Match", "TAG"), ("Range", "bytes=100-")], 304),
        (&[("If-Match", "TAG"), ("Range", "bytes=0-0")], 206),
        (&[("If-Match", "TAG"), ("Range", "bytes=100-")], 416),
        // Two lines of one list are one list.
        (&[("If-None-Match", "\"a\""), ("If-None-Match", "TAG")], 304),
    ] {
        assert_eq!(stage.status(headers), status, "{headers:?}");
    }
}

/// They are for a download that would succeed: an error stays what it is.
#[test]
fn a_condition_does_not_hide_an_error() {
    let stage = Stage::new();
    for (path, status) in [("none", 404), ("../outside/x", 403), ("", 404)] {
        let path = stage.server.base().join(path);
        for (name, value) in [("If-None-Match", "*"), ("If-Match", "*"), ("If-Modified-Since", AFTER)] {
            let request = stage.server.request("GET", "/download").query("path", path.to_str().unwrap());
            let answer = stage.server.call(&request.header(name, value));
            assert_eq!(answer.status, status, "{name} {path:?}");
        }
    }
}

#[test]
fn answers_without_the_file_have_their_form() {
    let stage = Stage::new();
    let saved = stage.get(&[("If-None-Match", "*")]);
    assert_eq!((saved.status, saved.body.as_slice()), (304, &b""[..]));
    assert_eq!(saved.header("etag"), Some(&*stage.tag));
    assert_eq!(saved.header("last-modified"), Some(AT));
    assert_eq!(saved.header("cache-control"), Some("private, no-cache"));
    for name in ["content-type", "content-range", "content-disposition", "transfer-encoding"] {
        assert_eq!(saved.header(name), None, "{name}");
    }
    let failed = stage.get(&[("If-Match", "\"other\"")]);
    assert_eq!(failed.refused(412, "precondition_failed")["type"], "ValueError");
    assert_eq!(failed.header("etag"), None);
    // The connection goes on behind an answer without a body.
    let mut connection = stage.server.connect();
    let path = stage.server.base().join("file.txt");
    let request = stage.server.request("GET", "/download").query("path", path.to_str().unwrap());
    for _ in 0..3 {
        assert_eq!(connection.call(&request.clone().header("If-None-Match", "*")).status, 304);
        assert_eq!(connection.call(&request).body, b"content");
    }
}
