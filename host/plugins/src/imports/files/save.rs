//! `files.save`: an upload becomes a file, wholly or not at all.
//!
//! The order is the contract's (file_ops §8, §12.2): path, extension, base64, size, then parents and target, all before
//! the first byte is written; of an unread body all before the first byte is read.

use std::sync::Arc;

use abxd_body::base64::{Base64Error, SpoolDecoder, decoded_len};
use abxd_body::{Spool, UnreadBody};
use abxd_capabilities::files::{SaveOptions, SaveTarget, Saving};
use abxd_guards::extension::ExtensionRule;
use abxd_guards::path::Access;
use bytes::Bytes;

use super::{Judge, blocking, convert};
use crate::bindings::abx::host::failures::Failure;
use crate::bindings::abx::host::files as wit;
use crate::exchange::{Call, Upload};

/// Largest file, in bytes, where neither rule nor environment sets a limit (contract: policy §3).
const MOST: u64 = 100 << 20;

/// Bytes of a body that are collected before a blocking thread writes them.
const BATCH: usize = 512 << 10;

/// The largest file that may be stored: the rule's `max_bytes`, else `ABX_MAX_UPLOAD_SIZE` as it is now.
pub(super) fn most(call: &Call) -> u64 {
    call.endpoint.rule.limits().max_bytes().unwrap_or_else(|| {
        let set = std::env::var("ABX_MAX_UPLOAD_SIZE").ok();
        set.and_then(|text| text.trim().parse().ok()).unwrap_or(MOST)
    })
}

/// Where to store what, and under which limits.
pub(super) struct Order {
    path: Vec<u8>,
    encoding: wit::Encoding,
    overwrite: bool,
    most: u64,
    extensions: Arc<ExtensionRule>,
}

impl Order {
    pub(super) fn of(call: &Call, path: Vec<u8>, options: wit::SaveOptions) -> Self {
        Self {
            path,
            encoding: options.encoding,
            // The component may be stricter than the rule, not laxer.
            overwrite: options.overwrite && call.endpoint.rule.params().overwrite(),
            most: most(call),
            extensions: call.endpoint.extensions.clone(),
        }
    }

    /// Judge everything that can be judged from the size, and make the target ready. Blocks.
    fn begin(&self, judge: &Judge, size: impl FnOnce() -> Result<u64, Failure>) -> Result<Saving, Failure> {
        let checked = judge.path(&self.path, Access::Write)?;
        self.extensions.check(&checked)?;
        if size()? > self.most {
            return Err(Failure::TooLarge(self.most));
        }
        Ok(SaveTarget::prepare(checked, SaveOptions { overwrite: self.overwrite })?.begin()?)
    }
}

pub(super) async fn save(judge: Judge, order: Order, content: Upload) -> wasmtime::Result<Result<wit::Saved, Failure>> {
    match content {
        Upload::Aside(spool) => blocking(move || from_spool(&judge, &order, &spool)).await,
        Upload::Unread(_) if order.encoding != wit::Encoding::Raw => {
            Ok(Err(Failure::Malformed("base64 is read from a value that was set aside, not from a body".to_owned())))
        }
        Upload::Unread(body) => from_body(judge, order, body).await,
    }
}

/// Blocks.
fn from_spool(judge: &Judge, order: &Order, spool: &Spool) -> Result<wit::Saved, Failure> {
    match order.encoding {
        wit::Encoding::Raw => {
            let mut saving = order.begin(judge, || Ok(spool.size()))?;
            let mut buffer = vec![0; 256 << 10];
            let mut offset = 0;
            loop {
                let read = spool.read_at(&mut buffer, offset)?;
                let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else { break };
                saving.write(chunk)?;
                offset += read as u64;
            }
            commit(saving)
        }
        wit::Encoding::Base64 => {
            let mut saving = order.begin(judge, || decoded_len(spool).map_err(base64_failure))?;
            let mut decoder = SpoolDecoder::new(spool);
            while let Some(chunk) = decoder.next_chunk().map_err(base64_failure)? {
                saving.write(chunk)?;
            }
            commit(saving)
        }
    }
}

fn base64_failure(error: Base64Error) -> Failure {
    match error {
        Base64Error::Read(cause) => cause.into(),
        Base64Error::Invalid => Failure::Malformed(error.to_string()),
    }
}

/// Blocks.
fn commit(saving: Saving) -> Result<wit::Saved, Failure> {
    let path = convert::bytes(saving.path());
    let size = saving.commit()?;
    Ok(wit::Saved { path, size })
}

async fn from_body(judge: Judge, order: Order, mut body: UnreadBody) -> wasmtime::Result<Result<wit::Saved, Failure>> {
    let size = body.size();
    let mut saving = match blocking(move || order.begin(&judge, || Ok(size))).await? {
        Ok(saving) => saving,
        Err(failure) => return Ok(Err(failure)),
    };
    loop {
        let batch = match collect(&mut body).await {
            Ok(batch) => batch,
            Err(failure) => return Ok(Err(failure)),
        };
        let last = batch.is_empty();
        let written = blocking(move || {
            batch.iter().try_for_each(|chunk| saving.write(chunk))?;
            Ok::<_, Failure>(saving)
        });
        saving = match written.await? {
            Ok(saving) => saving,
            Err(failure) => return Ok(Err(failure)),
        };
        if last {
            return blocking(move || commit(saving)).await;
        }
    }
}

/// The next chunks of a body, about [`BATCH`] bytes; none at its end.
async fn collect(body: &mut UnreadBody) -> Result<Vec<Bytes>, Failure> {
    let mut batch = Vec::new();
    let mut size = 0;
    while size < BATCH {
        let Some(chunk) = body.next_chunk().await? else { break };
        size += chunk.len();
        batch.push(chunk);
    }
    Ok(batch)
}
