//! What tells one state of a file from another. Contract: file_ops §13.2.

use std::time::{Duration, UNIX_EPOCH};

use abx_sdk::Response;
use abx_sdk::files::Metadata;

const NANOSECONDS: u64 = 1_000_000_000;
/// 9999-12-31T23:59:59Z, the last second that a date in HTTP can say.
const LAST: u64 = 253_402_300_799;

/// Validators of a file at the time of its answer.
pub(super) struct Validators {
    /// Entity tag with its quotes; strong.
    pub(super) etag: String,
    /// Last-Modified in seconds since the epoch, never later than `now`. Before the epoch: the epoch.
    pub(super) modified: u64,
    /// The time of the answer in seconds since the epoch.
    pub(super) now: u64,
}

impl Validators {
    /// `now` in nanoseconds since the epoch.
    pub(super) fn new(metadata: &Metadata, now: u64) -> Self {
        let now = (now / NANOSECONDS).min(LAST);
        let Metadata { modified, size, inode, .. } = metadata;
        Self {
            etag: format!("\"{:x}.{:x}-{size:x}-{inode:x}\"", modified.seconds, modified.nanoseconds),
            modified: u64::try_from(modified.seconds).unwrap_or(0).min(now),
            now,
        }
    }

    /// Add the headers that also an answer without the file carries.
    pub(super) fn add_to(&self, response: Response) -> Response {
        response
            .with_header("etag", self.etag.as_str())
            .with_header("last-modified", date(self.modified))
            .with_header("cache-control", "private, no-cache")
    }
}

/// Seconds since the epoch as IMF-fixdate.
fn date(seconds: u64) -> String {
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds.min(LAST)))
}

/// Seconds since the epoch of a date in one of HTTP's three forms. None: it is no date, or before the epoch.
pub(super) fn parse_date(text: &str) -> Option<u64> {
    let date = httpdate::parse_http_date(text).ok()?;
    date.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::{Validators, date, parse_date};
    use abx_sdk::Response;
    use abx_sdk::files::{Kind, Metadata, Timestamp};

    fn metadata(seconds: i64, nanoseconds: u32, size: u64, inode: u64) -> Metadata {
        let time = Timestamp { seconds, nanoseconds };
        Metadata { kind: Kind::Regular, size, mode: 0, modified: time, accessed: time, changed: time, inode, device: 0 }
    }

    const NOW: u64 = 1_700_000_000_999_999_999;

    #[test]
    fn the_tag_changes_with_time_size_and_inode() {
        let tag =
            |seconds, nanoseconds, size, inode| Validators::new(&metadata(seconds, nanoseconds, size, inode), NOW).etag;
        let tags =
            [tag(1, 2, 3, 4), tag(0, 2, 3, 4), tag(1, 0, 3, 4), tag(1, 2, 0, 4), tag(1, 2, 3, 0), tag(-1, 2, 3, 4)];
        for (index, one) in tags.iter().enumerate() {
            assert!(one.len() > 2 && one.starts_with('"') && one.ends_with('"') && one.is_ascii(), "{one}");
            assert!(one.matches(['"', ' ', ',']).count() == 2, "{one}");
            assert!(tags[index + 1..].iter().all(|other| other != one), "{one}");
        }
        assert_eq!(tag(1, 2, 3, 4), tags[0]);
    }

    #[test]
    fn last_modified_is_never_later_than_now() {
        let modified = |seconds| Validators::new(&metadata(seconds, 999_999_999, 0, 0), NOW).modified;
        assert_eq!(modified(1_699_999_999), 1_699_999_999);
        assert_eq!(modified(1_700_000_000), 1_700_000_000);
        assert_eq!(modified(1_700_000_001), 1_700_000_000);
        assert_eq!(modified(i64::MAX), 1_700_000_000);
        assert_eq!(modified(i64::MIN), 0);
    }

    #[test]
    fn no_clock_breaks_the_date() {
        let validators = Validators::new(&metadata(i64::MAX, 0, 0, 0), u64::MAX);
        assert!(date(validators.modified).ends_with(" GMT"));
        assert_eq!(date(u64::MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
    }

    #[test]
    fn dates_are_read_in_three_forms() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(parse_date(text), Some(784_111_777), "{text}");
        }
        assert_eq!(date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        for text in
            ["", "yesterday", "Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMTé"]
        {
            assert_eq!(parse_date(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_answer_carries_all_three_headers() {
        let response = Validators::new(&metadata(784_111_777, 0, 0, 0), NOW).add_to(Response::empty(304));
        let names: Vec<_> = response.headers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["etag", "last-modified", "cache-control"]);
        assert_eq!(response.headers[1].1, "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(response.headers[2].1, "private, no-cache");
    }
}
