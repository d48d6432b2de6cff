//! `files_upload`, raw bytes only.

use std::os::unix::ffi::OsStrExt;

use abxd::core::{Handling, Native};
use abxd::pipeline::Permit;
use abxd_body::UnreadBody;
use abxd_capabilities::files::{SaveOptions, SaveTarget, Saving};
use abxd_guards::path::Access;
use abxd_plugins::{Answer, InBody, Problem, Request, Upload as Content};
use bytes::Bytes;

use crate::blocking::{Judge, blocking, failed, fault, json};

/// Bytes that are collected before a blocking thread writes them: as the host does it for components.
const BATCH: usize = 512 << 10;

#[derive(Debug)]
pub(crate) struct Upload;

impl Native for Upload {
    fn handle<'a>(&'a self, permit: &'a Permit, request: Request) -> Handling<'a> {
        Box::pin(async move {
            let judge = Judge::of(permit, &request)?;
            let InBody::Unread(Content::Unread(body)) = request.body else {
                return Err(fault(400, "ValueError", Some("bad_body"), "only raw bytes are taken here"));
            };
            save(judge, body).await
        })
    }
}

async fn save(judge: Judge, mut body: UnreadBody) -> Result<Answer, Problem> {
    let mut saving = blocking(move || {
        let target = SaveTarget::prepare(judge.check(Access::Write)?, SaveOptions { overwrite: true });
        target.and_then(SaveTarget::begin).map_err(failed)
    })
    .await?;
    loop {
        let batch = collect(&mut body).await?;
        if batch.is_empty() {
            return blocking(move || commit(saving)).await;
        }
        saving = blocking(move || {
            batch.iter().try_for_each(|chunk| saving.write(chunk)).map_err(failed)?;
            Ok(saving)
        })
        .await?;
    }
}

async fn collect(body: &mut UnreadBody) -> Result<Vec<Bytes>, Problem> {
    let (mut batch, mut size) = (Vec::new(), 0);
    while size < BATCH {
        let chunk = body.next_chunk().await;
        let Some(chunk) = chunk.map_err(|cause| fault(400, "ValueError", None, &cause.to_string()))? else { break };
        size += chunk.len();
        batch.push(chunk);
    }
    Ok(batch)
}

fn commit(saving: Saving) -> Result<Answer, Problem> {
    let path = saving.path().to_owned();
    let size = saving.commit().map_err(failed)?;
    Ok(json(abx_sdk::json::object(256, |answer| {
        answer.bytes("path", path.as_os_str().as_bytes());
        answer.integer("bytes", size);
    })))
}
