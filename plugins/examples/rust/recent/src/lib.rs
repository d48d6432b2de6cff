//! `GET /recent?path=DIR&count=N`: the files of a directory that changed last, newest first.
//!
//! An example of a plugin. It reads its parameters, asks the host for one operation, and words the answer. It judges no
//! path: the host does, under the operator's rule for this endpoint, before it looks at the disk.

use abx_sdk::files::{self, Entry, ListOptions};
use abx_sdk::{Plugin, Problem, Request, Response, json, rule};

/// Entries that are looked at, at most.
const LOOKED_AT: u32 = 100_000;
/// Files in an answer, when neither the caller nor the operator says how many.
const COUNT: u64 = 20;

struct Recent;

impl Plugin for Recent {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "recent_files" => recent_files(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(Recent);

fn recent_files(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    let count = count(request.query_integer("count")?, rule::limit("max_results"))?;
    let options = ListOptions { recursive: false, max_entries: LOOKED_AT, max_depth: 1 };
    // A refusal of the path guard becomes the answer as it is.
    let entries = files::read_directory(&path, options)?;
    Ok(Response::json(answer(newest(entries, count))))
}

/// How many files the caller gets: what it asks for, within what the operator allows.
fn count(asked: Option<i64>, most: Option<u64>) -> Result<usize, Problem> {
    let asked = match asked {
        Some(number) => u64::try_from(number).map_err(|_| Problem::value_error("count must not be negative"))?,
        None => COUNT,
    };
    Ok(usize::try_from(asked.min(most.unwrap_or(u64::MAX))).unwrap_or(usize::MAX))
}

fn newest(mut entries: Vec<Entry>, count: usize) -> Vec<Entry> {
    entries.retain(|entry| !entry.directory && entry.link.is_none());
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.modified.seconds, entry.modified.nanoseconds)));
    entries.truncate(count);
    entries
}

fn answer(entries: Vec<Entry>) -> Vec<u8> {
    json::object(32 + entries.len() * 96, |answer| {
        answer.list("files", |list| {
            for entry in &entries {
                list.object(|item| {
                    item.bytes("name", &entry.name);
                    item.integer("size", entry.size);
                    item.time("modified", entry.modified);
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use abx_sdk::files::{Entry, Timestamp};

    use super::{answer, count, newest};

    fn entry(name: &str, seconds: i64, directory: bool) -> Entry {
        let modified = Timestamp { seconds, nanoseconds: 0 };
        Entry { name: name.into(), directory, size: 1, modified, link: None }
    }

    #[test]
    fn newest_files_come_first_and_directories_not_at_all() {
        let found = newest(vec![entry("old", 1, false), entry("dir", 9, true), entry("new", 5, false)], 10);
        assert_eq!(found.iter().map(|entry| entry.name.as_slice()).collect::<Vec<_>>(), [b"new", b"old"]);
        assert_eq!(newest(found, 1).len(), 1);
    }

    #[test]
    fn the_operator_has_the_last_word_on_the_count() {
        assert_eq!(count(None, None).unwrap(), 20);
        assert_eq!(count(Some(500), Some(7)).unwrap(), 7);
        assert!(count(Some(-1), None).is_err());
    }

    #[test]
    fn an_answer_is_json() {
        let text = answer(vec![entry("a.txt", 0, false)]);
        let expected = serde_json::json!({
            "files": [{"name": "a.txt", "size": 1, "modified": "1970-01-01T00:00:00+00:00"}],
        });
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), expected);
    }
}
