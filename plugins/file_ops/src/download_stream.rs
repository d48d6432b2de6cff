//! `files_download_stream`: one file as base64 in a JSON answer. Contract: file_ops §9.

use abx_sdk::json::Bulky;
use abx_sdk::{Problem, Request, Response, files};

pub(crate) fn download_stream(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    let opened = files::open(&path)?;
    let bytes = opened.content.size().unwrap_or(opened.metadata.size);
    let mut answer = Bulky::new(48 + opened.path.len());
    answer.members(|answer| answer.bytes("path", &opened.path));
    answer.base64("content_base64", opened.content);
    answer.members(|answer| answer.integer("bytes", bytes));
    Ok(Response::segments(answer.finish()))
}
