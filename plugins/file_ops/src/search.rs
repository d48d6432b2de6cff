//! `files_search`: files below a directory whose name matches. Contract: file_ops §7.

use abx_sdk::files::{self, Found, SearchOptions};
use abx_sdk::{Member, Problem, Request, Response, json, path, rule};

/// Levels, when the caller doesn't say how many.
const MAX_DEPTH: i64 = 5;
/// Results, when the caller doesn't say how many.
const MAX_RESULTS: i64 = 100;
/// Seconds, when the policy doesn't say how many.
const TIMEOUT: f64 = 10.0;

pub(crate) fn search(request: &Request) -> Result<Response, Problem> {
    let [text, twin, pattern, depth, results] =
        request.members(["path", "path_b64", "pattern", "max_depth", "max_results"])?;
    let depth = number("max_depth", depth, MAX_DEPTH)?;
    let results = number("max_results", results, MAX_RESULTS)?;
    let path = path::required("path", path::from_members("path", text, twin)?)?;
    let pattern = pattern.and_then(Member::text).filter(|pattern| !pattern.is_empty());
    let options = SearchOptions {
        pattern: pattern.ok_or_else(|| Problem::value_error("pattern must be text that is not empty"))?.into_owned(),
        max_depth: at_most(depth, rule::limit("max_depth")),
        max_results: at_most(results, rule::limit("max_results")),
        timeout: milliseconds(rule::seconds("timeout_seconds").unwrap_or(TIMEOUT)),
    };
    Ok(Response::json(answer(&files::search(&path, &options)?)))
}

fn number(name: &str, member: Option<Member<'_>>, usual: i64) -> Result<i64, Problem> {
    match member {
        None => Ok(usual),
        Some(member) => member.whole().ok_or_else(|| Problem::value_error([name, " must be a number"].concat())),
    }
}

/// The caller's number within the policy's. Below zero is nothing.
fn at_most(asked: i64, limit: Option<u64>) -> u32 {
    let asked = u64::try_from(asked).unwrap_or(0);
    u32::try_from(limit.map_or(asked, |limit| asked.min(limit))).unwrap_or(u32::MAX)
}

/// Whole milliseconds, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "limits are positive, and a cast saturates"
)]
pub(crate) fn milliseconds(seconds: f64) -> u64 {
    ((seconds * 1000.0).round() as u64).max(1)
}

fn answer(found: &Found) -> Vec<u8> {
    json::object(64 + found.entries.len() * 120, |answer| {
        answer.list("results", |list| {
            for (name, path) in &found.entries {
                list.object(|item| {
                    item.bytes("name", name);
                    item.bytes("path", path);
                });
            }
        });
        answer.flag("timed_out", found.timed_out);
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, at_most, milliseconds, number};
    use abx_sdk::files::Found;
    use abx_sdk::members;
    use serde_json::{Value, json};

    #[test]
    fn numbers_are_taken_as_int_takes_them() {
        for (text, whole) in [
            ("2.9", Some(2)),
            ("true", Some(1)),
            ("false", Some(0)),
            (r#""3""#, Some(3)),
            (r#"" 1_0 ""#, Some(10)),
            ("-4", Some(-4)),
            ("1e30", Some(i64::MAX)),
            (r#""1.5""#, None),
            (r#""x""#, None),
            (r#""""#, None),
            ("null", None),
            ("[]", None),
            ("{}", None),
        ] {
            let text = format!(r#"{{"n":{text}}}"#);
            let [member] = members(text.as_bytes(), ["n"]).unwrap();
            assert_eq!(number("n", member, 5).ok(), whole, "{text}");
        }
        assert_eq!(number("n", None, 5).unwrap(), 5);
    }

    #[test]
    fn the_smaller_of_request_and_policy_counts() {
        for (asked, limit, effective) in
            [(5, None, 5), (5, Some(2), 2), (1, Some(2), 1), (-1, None, 0), (i64::MAX, None, u32::MAX)]
        {
            assert_eq!(at_most(asked, limit), effective);
        }
        assert_eq!(milliseconds(0.02), 20);
        assert_eq!(milliseconds(1e300), u64::MAX);
    }

    #[test]
    fn results_have_exactly_the_contracts_keys() {
        let entries = vec![(b"a.py".to_vec(), b"/r/a.py".to_vec()), (b"\xff".to_vec(), b"/r/\xff".to_vec())];
        let expected = json!({"results": [
            {"name": "a.py", "path": "/r/a.py"},
            {"name": "\u{fffd}", "name_b64": "/w==", "path": "/r/\u{fffd}", "path_b64": "L3Iv/w=="},
        ], "timed_out": true});
        let found = Found { entries, timed_out: true };
        assert_eq!(serde_json::from_slice::<Value>(&answer(&found)).unwrap(), expected);
    }
}
