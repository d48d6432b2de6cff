//! `git_status`: the branch and what has changed. Contract: dev_tools.

use std::borrow::Cow;

use abx_sdk::git::{self, Change, WorkingTree};
use abx_sdk::path::Path;
use abx_sdk::{Problem, Request, Response, json};

use crate::git_failure;

pub(crate) fn git_status(request: &Request) -> Result<Response, Problem> {
    let tree = git::status(&directory(request)?).map_err(git_failure::problem)?;
    Ok(Response::json(answer(&tree)))
}

/// The directory that is asked about: where paths start from, when it isn't said.
pub(crate) fn directory(request: &Request) -> Result<Path<'_>, Problem> {
    Ok(request.query_path("path")?.unwrap_or(Cow::Borrowed(b".")))
}

fn answer(tree: &WorkingTree) -> Vec<u8> {
    json::object(64 + tree.changes.len() * 64, |answer| {
        answer.bytes("branch", branch(&tree.head));
        answer.flag("clean", tree.changes.is_empty());
        answer.list("files", |list| {
            for change in &tree.changes {
                list.object(|item| {
                    item.bytes("path", &change.path);
                    item.text("status", &status(change));
                    if let Some(old) = &change.old_path {
                        item.bytes("old_path", old);
                    }
                });
            }
        });
        if tree.truncated {
            answer.flag("truncated", true);
        }
    })
}

/// The head without what it is compared with.
fn branch(head: &[u8]) -> &[u8] {
    let end = head.windows(3).position(|three| three == b"...");
    head.get(..end.unwrap_or(head.len())).unwrap_or_default()
}

/// The word for the index's letter, or the working tree's where there is none.
fn status(change: &Change) -> Cow<'static, str> {
    let letter = if change.index == ' ' { change.work_tree } else { change.index };
    Cow::Borrowed(match letter {
        'M' => "modified",
        'A' => "added",
        'D' => "deleted",
        'R' => "renamed",
        'C' => "copied",
        'U' => "unmerged",
        '?' => "untracked",
        other => return Cow::Owned(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, branch, directory};
    use abx_sdk::git::{Change, WorkingTree};
    use abx_sdk::{InBody, Request};
    use serde_json::{Value, json};

    fn change(letters: &str, path: &[u8], old_path: Option<&[u8]>) -> Change {
        let [index, work_tree] = letters.chars().collect::<Vec<_>>()[..] else { panic!("two letters") };
        Change { index, work_tree, path: path.to_vec(), old_path: old_path.map(<[u8]>::to_vec) }
    }

    fn read(head: &str, changes: Vec<Change>) -> Value {
        let tree = WorkingTree { head: head.into(), changes, truncated: false };
        serde_json::from_slice(&answer(&tree)).unwrap()
    }

    #[test]
    fn changes_have_exactly_the_contracts_keys() {
        let changes = vec![
            change(" M", b"a.txt", None),
            change("R ", b"c2.txt", Some(b"c.txt")),
            change("??", b"dir/", None),
            change("A ", b"bad\xff", None),
        ];
        let expected = json!({"branch": "main", "clean": false, "files": [
            {"path": "a.txt", "status": "modified"},
            {"path": "c2.txt", "status": "renamed", "old_path": "c.txt"},
            {"path": "dir/", "status": "untracked"},
            {"path": "bad\u{fffd}", "path_b64": "YmFk/w==", "status": "added"},
        ]});
        assert_eq!(read("main...origin/main [ahead 1]", changes), expected);
        assert_eq!(read("HEAD (no branch)", vec![]), json!({"branch": "HEAD (no branch)", "clean": true, "files": []}));
    }

    #[test]
    fn what_was_cut_is_said() {
        let tree = WorkingTree { head: "main".into(), changes: vec![change("??", b"x", None)], truncated: true };
        assert_eq!(serde_json::from_slice::<Value>(&answer(&tree)).unwrap()["truncated"], true);
    }

    #[test]
    fn the_index_goes_before_the_working_tree() {
        for (letters, word) in [
            ("UU", "unmerged"),
            ("AU", "added"),
            ("AA", "added"),
            ("DD", "deleted"),
            ("DU", "deleted"),
            ("UD", "unmerged"),
            ("AM", "added"),
            (" D", "deleted"),
            (" T", "T"),
            ("T ", "T"),
            ("C ", "copied"),
        ] {
            assert_eq!(read("main", vec![change(letters, b"x", None)])["files"][0]["status"], word, "{letters}");
        }
    }

    #[test]
    fn heads_are_cut_before_what_they_follow() {
        for (head, name) in
            [("a...b", "a"), ("a.b", "a.b"), ("No commits yet on main", "No commits yet on main"), ("", "")]
        {
            assert_eq!(branch(head.as_bytes()), name.as_bytes());
        }
    }

    #[test]
    fn without_a_path_the_usual_directory_is_meant() {
        let request = |query: &[(&str, &str)]| Request {
            path_params: vec![],
            query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            headers: vec![],
            body: InBody::None,
        };
        assert_eq!(directory(&request(&[])).unwrap(), &b"."[..]);
        assert_eq!(directory(&request(&[("path", "r")])).unwrap(), &b"r"[..]);
        assert_eq!(directory(&request(&[("path_b64", "L/8=")])).unwrap(), &b"/\xff"[..]);
    }
}
