//! `git_diff`: what has changed, line by line. Contract: dev_tools.

use abx_sdk::git::{self, DiffOptions, Patch};
use abx_sdk::json::{Bulky, Object};
use abx_sdk::{Problem, Request, Response};

use crate::git_failure;
use crate::git_status::directory;

/// Bytes of the text that are answered.
const MOST: u64 = 1 << 20;

/// What stands behind a text that was cut.
const CUT: &str = "\n... (truncated at 1MB)";

pub(crate) fn git_diff(request: &Request) -> Result<Response, Problem> {
    let file = request.query_path("file")?.map(std::borrow::Cow::into_owned);
    let options = DiffOptions { staged: request.query_flag("staged"), file, max_output: MOST };
    let patch = git::diff(&directory(request)?, &options).map_err(git_failure::problem)?;
    let Patch { text, truncated, files, insertions, deletions } = patch;
    let mut answer = Bulky::new(128);
    answer.json_text_and("diff", text, if truncated { CUT } else { "" });
    answer.members(|answer| answer.object("stats", |stats| counts(stats, [files, insertions, deletions])));
    Ok(Response::segments(answer.finish()))
}

fn counts(stats: &mut Object<'_>, [files, insertions, deletions]: [u64; 3]) {
    stats.integer("files_changed", files);
    stats.integer("insertions", insertions);
    stats.integer("deletions", deletions);
}

#[cfg(test)]
mod tests {
    use super::counts;
    use abx_sdk::json;

    #[test]
    fn counts_have_exactly_the_contracts_keys() {
        let text = json::object(0, |stats| counts(stats, [1, 2, 3]));
        assert_eq!(text, br#"{"files_changed":1,"insertions":2,"deletions":3}"#);
    }
}
