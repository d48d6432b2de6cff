//! `files_stat`: what a path names. Contract: file_ops §3, §1.8.

use abx_sdk::files::{self, Described, Kind};
use abx_sdk::{Problem, Request, Response, json};

use crate::name;

pub(crate) fn stat(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    Ok(Response::json(answer(&files::stat(&path)?)))
}

fn answer(described: &Described) -> Vec<u8> {
    json::object(320 + 2 * described.path.len(), |answer| {
        answer.bytes("name", name::base(&described.path));
        answer.bytes("path", &described.path);
        match &described.metadata {
            Some(metadata) => {
                answer.text("type", if metadata.kind == Kind::Directory { "directory" } else { "file" });
                answer.integer("size", metadata.size);
                answer.text("permissions", core::str::from_utf8(&permissions(metadata.mode)).unwrap_or_default());
                answer.time("modified", metadata.modified);
                answer.time("accessed", metadata.accessed);
                answer.time("created", metadata.changed);
            }
            None => {
                answer.text("type", "unknown");
                answer.integer("size", 0);
                for key in ["permissions", "modified", "accessed", "created"] {
                    answer.text(key, "");
                }
            }
        }
        answer.flag("exists", described.metadata.is_some());
        if let Some(target) = &described.link {
            answer.flag("symlink", true);
            answer.bytes("target", target);
        }
    })
}

/// The last three octal digits of a mode, as ASCII.
fn permissions(mode: u32) -> [u8; 3] {
    [mode >> 6, mode >> 3, mode].map(|bits| b'0' | (bits & 7) as u8)
}

#[cfg(test)]
mod tests {
    use super::{answer, permissions};
    use abx_sdk::files::{Described, Kind, Metadata, Timestamp};
    use serde_json::{Value, json};

    fn metadata(kind: Kind) -> Metadata {
        let time = |seconds| Timestamp { seconds, nanoseconds: 0 };
        Metadata {
            kind,
            size: 5,
            mode: 0o640,
            modified: time(1_000_000_000),
            accessed: Timestamp { seconds: 1_700_000_000, nanoseconds: 1_000 },
            changed: time(0),
            inode: 1,
            device: 1,
        }
    }

    fn read(described: &Described) -> Value {
        serde_json::from_slice(&answer(described)).unwrap()
    }

    #[test]
    fn a_file_is_described() {
        let described = Described { path: b"/d/a.txt".to_vec(), metadata: Some(metadata(Kind::Regular)), link: None };
        let expected = json!({
            "name": "a.txt", "path": "/d/a.txt", "type": "file", "size": 5, "permissions": "640",
            "modified": "2001-09-09T01:46:40+00:00", "accessed": "2023-11-14T22:13:20.000001+00:00",
            "created": "1970-01-01T00:00:00+00:00", "exists": true,
        });
        assert_eq!(read(&described), expected);
    }

    #[test]
    fn what_is_neither_file_nor_directory_is_a_file() {
        for (kind, name) in [(Kind::Directory, "directory"), (Kind::Other, "file")] {
            let described = Described { path: b"/d".to_vec(), metadata: Some(metadata(kind)), link: None };
            assert_eq!(read(&described)["type"], name);
        }
    }

    #[test]
    fn what_is_missing_is_described_too() {
        let described = Described { path: b"/d/nope".to_vec(), metadata: None, link: None };
        let expected = json!({
            "name": "nope", "path": "/d/nope", "type": "unknown", "size": 0, "permissions": "", "modified": "",
            "accessed": "", "created": "", "exists": false,
        });
        assert_eq!(read(&described), expected);
    }

    #[test]
    fn a_link_shows_its_text() {
        let dangling = Described { path: b"/d/\xff".to_vec(), metadata: None, link: Some(b"t\xff".to_vec()) };
        let answer = read(&dangling);
        assert_eq!((&answer["symlink"], &answer["target"]), (&json!(true), &json!("t\u{fffd}")));
        assert_eq!((&answer["target_b64"], &answer["name_b64"]), (&json!("dP8="), &json!("/w==")));
        assert_eq!(answer["path_b64"], json!("L2Qv/w=="));
    }

    #[test]
    fn permissions_are_three_octal_digits() {
        for (mode, digits) in [(0o644, b"644"), (0o7, b"007"), (0, b"000"), (0o4755, b"755"), (0o1777, b"777")] {
            assert_eq!(&permissions(mode), digits);
        }
    }
}
