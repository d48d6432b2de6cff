//! `files_list`: the entries of a directory. Contract: file_ops §2, §1.8.

use abx_sdk::files::{self, Entry, ListOptions};
use abx_sdk::{Problem, Request, Response, json, rule};

/// Entries, when neither the caller nor the policy says how many.
const MAX_ENTRIES: u64 = 1000;
/// Levels, when the policy doesn't say how many.
const MAX_DEPTH: u64 = 3;

pub(crate) fn list(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    let options = options(request, rule::limit("max_entries"), rule::limit("max_depth"));
    Ok(Response::json(answer(&files::read_directory(&path, options)?)))
}

/// What the caller asks for, within what the policy allows. What is no number counts as not given.
fn options(request: &Request, max_entries: Option<u64>, max_depth: Option<u64>) -> ListOptions {
    let asked = match request.query_integer("max_entries") {
        Ok(Some(number)) => u64::try_from(number).unwrap_or(0),
        Ok(None) | Err(_) => MAX_ENTRIES,
    };
    ListOptions {
        recursive: request.query_flag("recursive"),
        max_entries: saturated(asked.min(max_entries.unwrap_or(MAX_ENTRIES))),
        max_depth: saturated(max_depth.unwrap_or(MAX_DEPTH)),
    }
}

fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn answer(entries: &[Entry]) -> Vec<u8> {
    json::object(64 + entries.len() * 136, |answer| {
        answer.list("entries", |list| {
            for entry in entries {
                list.object(|item| {
                    item.bytes("name", &entry.name);
                    item.text("type", if entry.directory { "directory" } else { "file" });
                    item.integer("size", entry.size);
                    item.time("modified", entry.modified);
                    if let Some(target) = &entry.link {
                        item.flag("symlink", true);
                        item.bytes("target", target);
                    }
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, options};
    use abx_sdk::files::{Entry, Timestamp};
    use abx_sdk::{InBody, Request};
    use serde_json::{Value, json};

    fn request(query: &[(&str, &str)]) -> Request {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Request { path_params: vec![], query, headers: vec![], body: InBody::None }
    }

    #[test]
    fn the_smaller_of_request_and_policy_counts() {
        for (asked, policy, entries) in [
            (None, None, 1000),
            (Some("5"), None, 5),
            (Some("5000"), None, 1000),
            (Some("5000"), Some(5000), 5000),
            (Some("9999999999"), Some(u64::MAX), u32::MAX),
            (None, Some(5000), 1000),
            (None, Some(7), 7),
            (Some("0"), None, 0),
            (Some("-3"), None, 0),
            (Some("abc"), None, 1000),
            (Some("2.5"), Some(7), 7),
            (Some(" 1_0 "), None, 10),
        ] {
            let query: Vec<_> = asked.map(|text| ("max_entries", text)).into_iter().collect();
            assert_eq!(options(&request(&query), policy, None).max_entries, entries, "{asked:?} {policy:?}");
        }
    }

    #[test]
    fn the_policy_alone_sets_the_depth() {
        assert_eq!(options(&request(&[("max_depth", "9")]), None, None).max_depth, 3);
        assert_eq!(options(&request(&[]), None, Some(5)).max_depth, 5);
        assert!(options(&request(&[("recursive", "Yes")]), None, None).recursive);
        assert!(!options(&request(&[("recursive", "on")]), None, None).recursive);
    }

    #[test]
    fn entries_have_exactly_the_contracts_keys() {
        let entry = |name: &[u8], directory, link: Option<&[u8]>| Entry {
            name: name.to_vec(),
            directory,
            size: 7,
            modified: Timestamp { seconds: 1_700_000_000, nanoseconds: 0 },
            link: link.map(<[u8]>::to_vec),
        };
        let entries = [entry(b"d", true, None), entry(b"bad\xff.txt", false, None), entry(b"l", false, Some(b"d"))];
        let modified = "2023-11-14T22:13:20+00:00";
        let expected = json!({"entries": [
            {"name": "d", "type": "directory", "size": 7, "modified": modified},
            {"name": "bad\u{fffd}.txt", "name_b64": "YmFk/y50eHQ=", "type": "file", "size": 7, "modified": modified},
            {"name": "l", "type": "file", "size": 7, "modified": modified, "symlink": true, "target": "d"},
        ]});
        assert_eq!(serde_json::from_slice::<Value>(&answer(&entries)).unwrap(), expected);
        assert_eq!(answer(&[]), br#"{"entries":[]}"#);
    }
}
