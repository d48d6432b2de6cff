//! `files.watch`: the changes below a directory as events (contract: file_ops §11).
//!
//! The stream owns the watch. It outlives the call, not the answer that carries it.

use std::path::Path;
use std::time::Duration;

use abxd_capabilities::files::{Change, ChangeKind, Notifier, Watch, WatchEnd, WatchFailure, WatchOptions, WatchStep};
use abxd_guards::path::Access;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use serde_json::{Map, Value};

use super::{Judge, blocking};
use crate::bindings::abx::host::failures::Failure;
use crate::bindings::abx::host::files as wit;
use crate::exchange::{BrokenOff, Event, EventStream};

pub(super) async fn watch(
    judge: Judge,
    path: Vec<u8>,
    options: wit::WatchOptions,
) -> wasmtime::Result<Result<EventStream, Failure>> {
    let checked = match blocking(move || judge.path(&path, Access::Read)).await? {
        Ok(checked) => checked,
        Err(failure) => return Ok(Err(failure)),
    };
    let ready = Event::new("ready", Value::Object(path_members(checked.real())).to_string());
    let options = WatchOptions {
        recursive: options.recursive,
        interval: Duration::from_millis(options.interval),
        timeout: Duration::from_millis(options.timeout),
        notifier: Notifier::Kernel,
    };
    match Watch::arm(checked, options).await {
        Ok(watch) => Ok(Ok(EventStream::new(stream::iter([Ok(ready)]).chain(later(watch))))),
        Err(WatchFailure::File(failure)) => Ok(Err(failure.into())),
        Err(interrupted @ WatchFailure::Interrupted) => Err(wasmtime::Error::new(interrupted)),
    }
}

/// What comes after `ready`.
fn later(watch: Watch) -> impl Stream<Item = Result<Event, BrokenOff>> {
    let batches = stream::try_unfold(Some(watch), async |watch| {
        let Some(mut watch) = watch else { return Ok(None) };
        let step = watch.next().await.map_err(|cause| BrokenOff(Box::new(cause)))?;
        Ok::<_, BrokenOff>(Some(match step {
            WatchStep::Changes(changes) => (changes.iter().map(change).collect(), Some(watch)),
            WatchStep::End(end) => (vec![ending(end)], None),
        }))
    });
    batches.map_ok(|batch: Vec<Event>| stream::iter(batch.into_iter().map(Ok))).try_flatten()
}

fn change(change: &Change) -> Event {
    let kind = match change.kind {
        ChangeKind::Created => "created",
        ChangeKind::Modified => "modified",
        ChangeKind::Deleted => "deleted",
    };
    let mut members = path_members(&change.path);
    members.insert("type".to_owned(), kind.into());
    members.insert("is_dir".to_owned(), change.is_dir.into());
    Event::new("change", Value::Object(members).to_string())
}

fn ending(end: WatchEnd) -> Event {
    let reason = match end {
        WatchEnd::Timeout => "timeout",
        WatchEnd::Deleted => "deleted",
    };
    Event::new("end", serde_json::json!({ "reason": reason }).to_string())
}

/// `path`, and its twin where the bytes are no text (contract: file_ops §1.6).
fn path_members(path: &Path) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("path".to_owned(), path.to_string_lossy().into());
    if path.to_str().is_none() {
        use std::os::unix::ffi::OsStrExt;
        let mut twin = String::new();
        let mut encoder = abxd_body::base64::Encoder::new();
        encoder.push(path.as_os_str().as_bytes(), &mut twin);
        encoder.finish(&mut twin);
        members.insert("path_b64".to_owned(), twin.into());
    }
    members
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use abxd_capabilities::files::{Change, ChangeKind, WatchEnd};
    use serde_json::{Value, json};

    use super::{change, ending};

    fn data(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn events_have_exactly_the_contracts_keys() {
        let made = Change { kind: ChangeKind::Created, path: "/srv/box/w/new".into(), is_dir: false };
        let event = change(&made);
        assert_eq!((event.id, &*event.name), (None, "change"));
        assert_eq!(data(&event.data), json!({"type": "created", "path": "/srv/box/w/new", "is_dir": false}));
        let odd = Change { kind: ChangeKind::Deleted, path: OsStr::from_bytes(b"/bad\xff.txt").into(), is_dir: true };
        let expected =
            json!({"type": "deleted", "path": "/bad\u{fffd}.txt", "path_b64": "L2JhZP8udHh0", "is_dir": true});
        assert_eq!(data(&change(&odd).data), expected);
    }

    #[test]
    fn the_last_event_tells_why() {
        assert_eq!(ending(WatchEnd::Timeout).data, r#"{"reason":"timeout"}"#);
        assert_eq!(ending(WatchEnd::Deleted).data, r#"{"reason":"deleted"}"#);
    }

    #[test]
    fn a_name_with_line_breaks_stays_on_one_line() {
        let made = Change { kind: ChangeKind::Modified, path: "/a\nb\r\u{2028}\0".into(), is_dir: false };
        let event = change(&made);
        assert!(!event.data.contains(['\n', '\r']));
        assert_eq!(data(&event.data)["path"], "/a\nb\r\u{2028}\0");
    }
}
