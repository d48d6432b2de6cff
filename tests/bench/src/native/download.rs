//! `files_download`, whole files only.

use abxd::core::{Handling, Native};
use abxd::pipeline::Permit;
use abxd_capabilities::files::open;
use abxd_guards::path::Access;
use abxd_plugins::{Answer, AnswerBody, Request, Source};

use crate::blocking::{Judge, blocking, failed};

#[derive(Debug)]
pub(crate) struct Download;

impl Native for Download {
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a> {
        Box::pin(async move {
            let judge = Judge::of(permit, &request)?;
            let opened = blocking(move || open(&judge.check(Access::Read)?).map_err(failed)).await?;
            let headers = [("content-type", "application/octet-stream"), ("accept-ranges", "bytes")];
            Ok(Answer {
                status: 200,
                headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
                body: AnswerBody::Source(Source::file(opened.file, opened.facts.size)),
            })
        })
    }
}
