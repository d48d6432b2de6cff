//! Which bytes a `Range` asks for. Contract: file_ops §13.4; RFC 9110 §14.

/// Bytes of a file that are to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// All of them: the range is to be ignored.
    Whole,
    /// Those from `first` to `last`, both included; `first <= last`.
    Part { first: u64, last: u64 },
    /// None: the range begins behind the end.
    Unsatisfiable,
}

/// What the value of a `Range` selects from `size` bytes.
///
/// What isn't one range of bytes, well-formed, selects everything: a range may always be ignored.
pub(super) fn select(range: &str, size: u64) -> Selection {
    let Some((unit, spec)) = range.split_once('=') else { return Selection::Whole };
    let Some((first, last)) = spec.split_once('-') else { return Selection::Whole };
    if !unit.eq_ignore_ascii_case("bytes") {
        return Selection::Whole;
    }
    let end = size.checked_sub(1);
    match (first, number(first), last, number(last)) {
        ("", _, _, Some(length)) => match end {
            _ if length == 0 => Selection::Unsatisfiable,
            Some(last) => Selection::Part { first: size.saturating_sub(length), last },
            None => Selection::Whole,
        },
        (_, Some(first), "", _) => part(first, u64::MAX, end),
        (_, Some(first), _, Some(last)) if first <= last => part(first, last, end),
        _ => Selection::Whole,
    }
}

/// From `first` to `last`, or to the last position `end` if that comes before.
fn part(first: u64, last: u64, end: Option<u64>) -> Selection {
    match end {
        Some(end) if first <= end => Selection::Part { first, last: last.min(end) },
        _ => Selection::Unsatisfiable,
    }
}

/// A number of digits only. One that needs more than 64 bits lies behind any end.
fn number(digits: &str) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::Selection::{self, Part, Unsatisfiable, Whole};
    use super::select;

    fn check(size: u64, rows: &[(&str, Selection)]) {
        for (range, selection) in rows {
            assert_eq!(select(range, size), *selection, "{range} of {size}");
        }
    }

    #[test]
    fn one_range_selects_a_part() {
        let part = |first, last| Part { first, last };
        check(
            10,
            &[
                ("bytes=2-4", part(2, 4)),
                ("bytes=0-0", part(0, 0)),
                ("bytes=9-9", part(9, 9)),
                ("bytes=5-100", part(5, 9)),
                ("bytes=0-99999999999999999999", part(0, 9)),
                ("bytes=8-", part(8, 9)),
                ("bytes=0-", part(0, 9)),
                ("bytes=-3", part(7, 9)),
                ("bytes=-10", part(0, 9)),
                ("bytes=-11", part(0, 9)),
                ("bytes=-99999999999999999999", part(0, 9)),
                ("Bytes=002-004", part(2, 4)),
            ],
        );
    }

    #[test]
    fn a_range_behind_the_end_is_unsatisfiable() {
        check(
            10,
            &[
                ("bytes=10-", Unsatisfiable),
                ("bytes=10-11", Unsatisfiable),
                ("bytes=99999999999999999999-", Unsatisfiable),
                ("bytes=-0", Unsatisfiable),
            ],
        );
        check(u64::MAX, &[("bytes=99999999999999999999-", Unsatisfiable)]);
    }

    #[test]
    fn an_empty_file_has_no_part() {
        check(
            0,
            &[
                ("bytes=0-", Unsatisfiable),
                ("bytes=0-5", Unsatisfiable),
                ("bytes=-0", Unsatisfiable),
                ("bytes=-5", Whole),
            ],
        );
    }

    #[test]
    fn all_else_is_ignored() {
        for range in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=5",
            "bytes=4-2",
            "bytes=a-b",
            "bytes=1-b",
            "bytes=--1",
            "bytes=1--2",
            "bytes=+1-2",
            "bytes=1.0-2",
            "bytes= 1-2",
            "bytes=1 -2",
            "bytes=0-1,3-4",
            "bytes=0-1,",
            "items=0-1",
            "bytes:0-1",
            "bytes =0-1",
            "bytes=²-3",
            "bytes=0x1-2",
        ] {
            assert_eq!(select(range, 10), Whole, "{range:?}");
        }
    }
}
