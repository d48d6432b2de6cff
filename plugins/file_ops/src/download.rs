//! `files_download`: one file as raw bytes, with ranges and conditional requests. Contract: file_ops §13.

mod disposition;
mod media_type;
mod precondition;
mod range;
mod validators;

use abx_sdk::files::{self, Opened};
use abx_sdk::{Fault, Problem, Request, Response, clock};

use crate::name;
use precondition::Outcome;
use range::Selection;
use validators::Validators;

pub(crate) fn download(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    let opened = files::open(&path)?;
    let validators = Validators::new(&opened.metadata, clock::now());
    let size = opened.content.size().unwrap_or(opened.metadata.size);
    let response = match verdict(request, &validators, size)? {
        Verdict::NotModified => Response::empty(304),
        Verdict::Whole => file(opened),
        Verdict::Part { first, last } => {
            opened.content.narrow(first, last - first + 1);
            file(opened).with_status(206).with_header("content-range", format!("bytes {first}-{last}/{size}"))
        }
    };
    Ok(validators.add_to(response))
}

/// What a request for a file that is there deserves.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    NotModified,
    Whole,
    /// The bytes from `first` to `last`, both included; `first <= last`.
    Part {
        first: u64,
        last: u64,
    },
}

/// Judge preconditions, then the range.
///
/// # Errors
///
/// 412 and 416.
fn verdict(request: &Request, validators: &Validators, size: u64) -> Result<Verdict, Problem> {
    let range = match precondition::evaluate(request, validators) {
        Outcome::Failed => {
            return Err(Fault::new(412, "ValueError", "a precondition failed").with_code("precondition_failed").into());
        }
        Outcome::NotModified => return Ok(Verdict::NotModified),
        Outcome::Whole => return Ok(Verdict::Whole),
        Outcome::Range(range) => range,
    };
    match range::select(range, size) {
        Selection::Whole => Ok(Verdict::Whole),
        Selection::Part { first, last } => Ok(Verdict::Part { first, last }),
        Selection::Unsatisfiable => Err(Fault::new(416, "ValueError", "the range is beyond the end of the file")
            .with_code("range_not_satisfiable")
            .with_header("content-range", format!("bytes */{size}"))
            .into()),
    }
}

/// 200 with what describes and carries the file.
fn file(opened: Opened) -> Response {
    let base = name::base(&opened.path);
    Response::source(opened.content)
        .with_header("content-type", media_type::of(base))
        .with_header("x-content-type-options", "nosniff")
        .with_header("content-disposition", disposition::attachment(base))
        .with_header("accept-ranges", "bytes")
}

#[cfg(test)]
mod tests;
