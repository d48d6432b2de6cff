//! Facts of the file system as the interface's records.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use abxd_capabilities::files::{ListEntry, ListOptions};
use abxd_guards::file::{Facts, Kind, Time};
use abxd_guards::path::CheckedPath;

use crate::bindings::abx::host::files as wit;

/// Bytes that one entry of a listing takes in a component's memory, without its name.
pub(super) const ENTRY: usize = 56;

/// The same for one find of a search.
pub(super) const HIT: usize = 16;

pub(super) fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

pub(super) fn described(checked: &CheckedPath, facts: Option<Facts>) -> wit::Described {
    wit::Described {
        path: bytes(checked.real()),
        metadata: facts.as_ref().map(metadata),
        link: checked.link_target().map(OsStr::as_bytes).map(<[u8]>::to_vec),
    }
}

pub(super) fn metadata(facts: &Facts) -> wit::Metadata {
    let (major, minor) = facts.id.device;
    wit::Metadata {
        kind: match facts.kind {
            Kind::File => wit::Kind::Regular,
            Kind::Directory => wit::Kind::Directory,
            Kind::Link | Kind::Fifo | Kind::Socket | Kind::Device => wit::Kind::Other,
        },
        size: facts.size,
        mode: facts.mode,
        modified: timestamp(facts.modified),
        accessed: timestamp(facts.accessed),
        changed: timestamp(facts.changed),
        inode: facts.id.inode,
        device: u64::from(major) << 32 | u64::from(minor),
    }
}

fn timestamp(time: Time) -> wit::Timestamp {
    wit::Timestamp { seconds: time.secs, nanoseconds: time.nanos }
}

/// At most `most` entries, whatever the component asks for: it has no room for more.
pub(super) fn list_options(options: wit::ListOptions, most: usize) -> ListOptions {
    ListOptions {
        recursive: options.recursive,
        max_entries: usize::try_from(options.max_entries).unwrap_or(usize::MAX).min(most),
        max_depth: usize::try_from(options.max_depth).unwrap_or(usize::MAX),
    }
}

pub(super) fn entry(entry: ListEntry) -> wit::Entry {
    wit::Entry {
        name: entry.name.into_vec(),
        directory: entry.is_directory,
        size: entry.size,
        modified: timestamp(entry.modified),
        link: entry.link.map(OsStringExt::into_vec),
    }
}
