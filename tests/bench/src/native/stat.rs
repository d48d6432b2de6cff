//! `files_stat`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use abx_sdk::files::Timestamp;
use abxd::core::{Handling, Native};
use abxd::pipeline::Permit;
use abxd_capabilities::files::stat;
use abxd_guards::file::{Facts, Kind, Time};
use abxd_guards::path::{Access, CheckedPath};
use abxd_plugins::Request;

use crate::blocking::{Judge, blocking, failed, json};

#[derive(Debug)]
pub(crate) struct Stat;

impl Native for Stat {
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a> {
        Box::pin(async move {
            let judge = Judge::of(permit, &request)?;
            let found = blocking(move || {
                let checked = judge.check(Access::Read)?;
                let facts = stat(&checked).map_err(failed)?;
                Ok((checked, facts))
            });
            let (checked, facts) = found.await?;
            Ok(json(answer(&checked, facts)))
        })
    }
}

/// A moment as the JSON writer takes it.
pub(crate) fn timestamp(time: Time) -> Timestamp {
    Timestamp { seconds: time.secs, nanoseconds: time.nanos }
}

fn answer(checked: &CheckedPath, facts: Option<Facts>) -> Vec<u8> {
    let path = checked.real();
    abx_sdk::json::object(320 + 2 * path.as_os_str().len(), |answer| {
        answer.bytes("name", path.file_name().unwrap_or_default().as_bytes());
        answer.bytes("path", path.as_os_str().as_bytes());
        match facts {
            Some(facts) => {
                answer.text("type", if facts.kind == Kind::Directory { "directory" } else { "file" });
                answer.integer("size", facts.size);
                answer.text("permissions", &format!("{:03o}", facts.mode & 0o777));
                answer.time("modified", timestamp(facts.modified));
                answer.time("accessed", timestamp(facts.accessed));
                answer.time("created", timestamp(facts.changed));
            }
            None => {
                answer.text("type", "unknown");
                answer.integer("size", 0);
                for key in ["permissions", "modified", "accessed", "created"] {
                    answer.text(key, "");
                }
            }
        }
        answer.flag("exists", facts.is_some());
        if let Some(target) = checked.link_target().map(OsStr::as_bytes) {
            answer.flag("symlink", true);
            answer.bytes("target", target);
        }
    })
}
