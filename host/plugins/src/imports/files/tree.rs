//! `files.search` and `files.archive`: walks of whole trees, ended soon after nobody waits for them. An archive, which may
//! take long, also ends when the client has closed its side of the connection, as a command does (contract: process §1).

use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::{
    self as machine, Archive, ArchiveFailure, ArchiveFormat, ArchiveOptions, SearchOptions,
};
use abxd_glob::Glob;
use abxd_guards::path::Access;

use super::{Judge, blocking, convert};
use crate::bindings::abx::host::failures::Failure;
use crate::bindings::abx::host::files as wit;
use crate::exchange::{Client, Source};

/// Cancels the work when the call that started it is dropped.
struct Leaving(Cancel);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

pub(super) async fn search(
    judge: Judge,
    path: Vec<u8>,
    options: wit::SearchOptions,
    most: usize,
) -> wasmtime::Result<Result<wit::Found, Failure>> {
    let leaving = Leaving(Cancel::new());
    let cancel = leaving.0.clone();
    blocking(move || {
        let checked = judge.path(&path, Access::Read)?;
        let pattern = Glob::new(&options.pattern).map_err(|cause| Failure::Malformed(cause.to_string()))?;
        let options = SearchOptions {
            pattern,
            max_depth: usize::try_from(options.max_depth).unwrap_or(usize::MAX),
            max_results: usize::try_from(options.max_results).unwrap_or(usize::MAX).min(most),
            timeout: Duration::from_millis(options.timeout),
        };
        let found = machine::search(&checked, &options, &cancel)?;
        let entries = found.hits.into_iter().map(|hit| (hit.name.into_vec(), convert::bytes(&hit.path)));
        Ok(wit::Found { entries: entries.collect(), timed_out: found.timed_out })
    })
    .await
}

pub(super) async fn archive(
    judge: Judge,
    paths: Vec<Vec<u8>>,
    options: wit::ArchiveOptions,
    directory: Option<Arc<Path>>,
    client: Client,
) -> wasmtime::Result<Result<Source, Failure>> {
    let leaving = Leaving(Cancel::new());
    let cancel = leaving.0.clone();
    let options = ArchiveOptions {
        format: match options.format {
            wit::ArchiveFormat::TarGz => ArchiveFormat::TarGz,
            wit::ArchiveFormat::Zip => ArchiveFormat::Zip,
        },
        max_files: options.max_files,
        max_bytes: options.max_bytes,
    };
    let packing = blocking(move || {
        let checked = judge.paths(&paths, Access::Read)?;
        let unnamed = || match &directory {
            Some(directory) => tempfile::tempfile_in(directory),
            None => tempfile::tempfile(),
        };
        let Archive { file, size } = machine::archive(&checked, &options, unnamed, &cancel)?;
        Ok(Source::file(file, size))
    });
    let mut packing = pin!(packing);
    tokio::select! {
        biased;
        packed = &mut packing => return packed,
        () = client.left() => leaving.0.cancel(),
    }
    packing.await
}

impl From<ArchiveFailure> for Failure {
    fn from(failure: ArchiveFailure) -> Self {
        match failure {
            ArchiveFailure::File(cause) => cause.into(),
            ArchiveFailure::TooMany(_) => Self::Malformed(failure.to_string()),
            ArchiveFailure::TooLarge(limit) => Self::TooLarge(limit),
            ArchiveFailure::Cancelled => Self::CutOff(failure.to_string()),
        }
    }
}
