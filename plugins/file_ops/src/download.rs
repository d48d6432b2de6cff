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
    match verdict(request, &validators, size)? {
        Verdict::NotModified => Ok(validators.add_to(Response::empty(304))),
        Verdict::Send(selection) => Ok(send(opened, &validators, size, selection)),
    }
}

/// What a request for a file that is there deserves.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    NotModified,
    Send(Selection),
}

/// Judge preconditions, then the range.
///
/// # Errors
///
/// 412 and 416.
fn verdict(request: &Request, validators: &Validators, size: u64) -> Result<Verdict, Problem> {
    match precondition::evaluate(request, validators) {
        Outcome::Failed => {
            Err(Fault::new(412, "ValueError", "a precondition failed").with_code("precondition_failed").into())
        }
        Outcome::NotModified => Ok(Verdict::NotModified),
        Outcome::Whole => Ok(Verdict::Send(Selection::Whole)),
        Outcome::Range(range) => match range::select(range, size) {
            Selection::Unsatisfiable => Err(Fault::new(416, "ValueError", "the range is beyond the end of the file")
                .with_code("range_not_satisfiable")
                .with_header("content-range", format!("bytes */{size}"))
                .into()),
            selection => Ok(Verdict::Send(selection)),
        },
    }
}

fn send(opened: Opened, validators: &Validators, size: u64, selection: Selection) -> Response {
    let base = name::base(&opened.path);
    if let Selection::Part { first, last } = selection {
        opened.content.narrow(first, last - first + 1);
    }
    let response = Response::source(opened.content)
        .with_header("content-type", media_type::of(base))
        .with_header("x-content-type-options", "nosniff")
        .with_header("content-disposition", disposition::attachment(base))
        .with_header("accept-ranges", "bytes");
    let response = match selection {
        Selection::Part { first, last } => {
            response.with_status(206).with_header("content-range", format!("bytes {first}-{last}/{size}"))
        }
        Selection::Whole | Selection::Unsatisfiable => response,
    };
    validators.add_to(response)
}

#[cfg(test)]
mod tests;
