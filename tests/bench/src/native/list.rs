//! `files_list`.

use std::os::unix::ffi::OsStrExt;

use abxd::core::{Handling, Native};
use abxd::pipeline::Permit;
use abxd_capabilities::files::{ListEntry, ListOptions, list};
use abxd_guards::path::Access;
use abxd_plugins::Request;

use crate::blocking::{Judge, blocking, failed, json};
use crate::stat::timestamp;

/// Entries where neither request nor rule says how many.
const MAX_ENTRIES: u64 = 1000;

#[derive(Debug)]
pub(crate) struct List;

impl Native for List {
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a> {
        Box::pin(async move {
            let judge = Judge::of(permit, &request)?;
            let asked = request.query.iter().find_map(|(name, value)| (name == "max_entries").then_some(value));
            let asked = asked.and_then(|text| text.parse().ok()).unwrap_or(MAX_ENTRIES);
            let most = asked.min(permit.rule().limits().max_entries().unwrap_or(MAX_ENTRIES));
            let max_entries = usize::try_from(most).unwrap_or(usize::MAX);
            let options = ListOptions { recursive: false, max_entries, max_depth: 1 };
            let entries = blocking(move || list(&judge.check(Access::Read)?, &options).map_err(failed)).await?;
            Ok(json(answer(&entries)))
        })
    }
}

fn answer(entries: &[ListEntry]) -> Vec<u8> {
    abx_sdk::json::object(64 + entries.len() * 136, |answer| {
        answer.list("entries", |list| {
            for entry in entries {
                list.object(|item| {
                    item.bytes("name", entry.name.as_bytes());
                    item.text("type", if entry.is_directory { "directory" } else { "file" });
                    item.integer("size", entry.size);
                    item.time("modified", timestamp(entry.modified));
                    if let Some(target) = &entry.link {
                        item.flag("symlink", true);
                        item.bytes("target", target.as_bytes());
                    }
                });
            }
        });
    })
}
