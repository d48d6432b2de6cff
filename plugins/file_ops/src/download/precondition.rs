//! Conditional requests. Contract: file_ops §13.3; RFC 9110 §13.

use abx_sdk::Request;

use super::validators::{Validators, parse_date};

/// What the conditions of a request come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome<'a> {
    /// 412.
    Failed,
    /// 304.
    NotModified,
    /// The whole file.
    Whole,
    /// The part that this `Range` selects.
    Range(&'a str),
}

/// Evaluate the conditions in the contract's order.
pub(super) fn evaluate<'a>(request: &'a Request, validators: &Validators) -> Outcome<'a> {
    let date = |name| single(request, name).and_then(parse_date);
    let failed = match request.header("if-match") {
        Some(_) => !any_matches(request.header_lines("if-match"), validators, is_strong),
        None => date("if-unmodified-since").is_some_and(|date| validators.modified > date),
    };
    if failed {
        return Outcome::Failed;
    }
    let not_modified = match request.header("if-none-match") {
        Some(_) => any_matches(request.header_lines("if-none-match"), validators, |_| true),
        None => date("if-modified-since").is_some_and(|date| validators.modified <= date),
    };
    if not_modified {
        return Outcome::NotModified;
    }
    match single(request, "range") {
        Some(range) if request.header("if-range").is_none_or(|_| range_is_fresh(request, validators)) => {
            Outcome::Range(range)
        }
        _ => Outcome::Whole,
    }
}

/// Whether `If-Range` names the state that the file is in. What is neither tag nor date names none.
fn range_is_fresh(request: &Request, validators: &Validators) -> bool {
    match single(request, "if-range") {
        Some(value) if value.starts_with('"') || value.starts_with("W/") => value == validators.etag,
        Some(value) => {
            // A second may see several states of a file until it is over.
            parse_date(value) == Some(validators.modified) && validators.now > validators.modified
        }
        None => false,
    }
}

/// The value of a header that may stand once. Several lines are as good as none.
fn single<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let mut lines = request.header_lines(name);
    lines.next().filter(|_| lines.next().is_none()).map(str::trim)
}

/// Whether a list of entity tags, or `*`, names the file's tag; `admits` says which tags may.
fn any_matches<'a>(
    lines: impl Iterator<Item = &'a str>,
    validators: &Validators,
    admits: fn(&Tag<'_>) -> bool,
) -> bool {
    for line in lines {
        if line.trim() == "*" || Tags(line).any(|tag| admits(&tag) && tag.text == validators.etag) {
            return true;
        }
    }
    false
}

/// An entity tag; `text` with its quotes.
struct Tag<'a> {
    weak: bool,
    text: &'a str,
}

fn is_strong(tag: &Tag<'_>) -> bool {
    !tag.weak
}

/// The tags of a list, up to the first thing that is none.
struct Tags<'a>(&'a str);

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        let rest = self.0.trim_start_matches([' ', '\t', ',']);
        let (weak, rest) = rest.strip_prefix("W/").map_or((false, rest), |rest| (true, rest));
        let length = rest.strip_prefix('"')?.find('"')? + 2;
        let (text, rest) = rest.split_at_checked(length)?;
        let rest = rest.trim_start_matches([' ', '\t']);
        self.0 = if rest.is_empty() || rest.starts_with(',') { rest } else { "" };
        Some(Tag { weak, text })
    }
}

#[cfg(test)]
mod tests;
