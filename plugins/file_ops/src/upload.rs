//! `files_upload`: one file as raw bytes, as a form or as base64 in JSON. Contract: file_ops §12.

mod form;
mod target;

use abx_sdk::bulk::{self, Upload};
use abx_sdk::files::{self, Encoding, Kind};
use abx_sdk::path::{self, Path};
use abx_sdk::{Problem, Request, Response, members};

use crate::store::store;
use form::Form;

/// Member of the JSON form that holds the content.
const CONTENT: &str = "content_base64";
/// Part of a multipart form that holds the content.
const FILE: &str = "file";

pub(crate) fn upload(mut request: Request) -> Result<Response, Problem> {
    let Some(body) = request.take_unread() else {
        return Err(Problem::bad_body("the body was not handed over"));
    };
    let content_type = request.header("content-type").unwrap_or_default();
    let path_in_query = request.query("path").is_some() || request.query("path_b64").is_some();
    match form::choose(content_type, path_in_query) {
        Form::Raw => raw(&request, body),
        Form::Json => json(request.query_path("path")?, body),
        Form::Multipart => multipart(request.query_path("path")?, body, content_type),
    }
}

/// The declared length is judged first: such a body is refused unread.
fn raw(request: &Request, body: Upload) -> Result<Response, Problem> {
    let limit = files::max_upload();
    if body.size().is_some_and(|size| size > limit) {
        return Err(Problem::too_large(limit));
    }
    store(&request.require_path("path")?, body, Encoding::Raw)
}

fn json(query: Option<Path<'_>>, body: Upload) -> Result<Response, Problem> {
    let object = bulk::read_json(body, Some(CONTENT)).map_err(Problem::from_body)?;
    let [text, twin] = members(&object.text, ["path", "path_b64"])?;
    let path = target::agreed(path::from_members("path", text, twin)?, query)?;
    let content = object.bulk.ok_or_else(|| Problem::value_error("content_base64 must be text"))?;
    store(&path, content, Encoding::Base64)
}

fn multipart(query: Option<Path<'_>>, body: Upload, content_type: &str) -> Result<Response, Problem> {
    let form = bulk::read_form(body, content_type, &[FILE.to_owned()]).map_err(Problem::from_body)?;
    let path = target::agreed(form::path(&form.fields)?, query)?;
    let file = form::only(form.files.into_iter().filter(|file| file.name == FILE))?;
    match file.filename {
        Some(filename) => match real_directory(&path)? {
            Some(directory) => store(&target::inside(directory, &filename)?, file.content, Encoding::Raw),
            None => store(&path, file.content, Encoding::Raw),
        },
        None => store(&path, file.content, Encoding::Raw),
    }
}

/// The real path, if a directory is there.
fn real_directory(path: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    let described = files::stat(path)?;
    Ok(described.metadata.filter(|metadata| metadata.kind == Kind::Directory).map(|_| described.path))
}
