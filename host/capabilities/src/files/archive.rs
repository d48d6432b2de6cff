//! Packing files and trees into one archive (`contract: file_ops §10`).
//!
//! | module | what it does |
//! |---|---|
//! | [`gather`] | walks the arguments, judges and opens what is packed, counts |
//! | [`member`] | one thing to pack |
//! | [`tar`], [`zip`] | the two formats |
//! | [`deflate`] | the compression of both |
//! | [`output`] | the archive as it grows, never beyond its limit |
//!
//! Memory doesn't grow with what is packed: contents go through one buffer into a file that the caller provides, and
//! so do the directory entries of a zip. Only the names of files with several hard links are kept, for a tar.

mod deflate;
mod gather;
mod member;
mod output;
mod tar;
mod zip;

use std::fs::File;
use std::io;

use abxd_guards::path::CheckedPath;
use rustix::io::Errno;
use thiserror::Error;

use self::gather::Gathering;
use self::tar::TarGz;
use self::zip::Zip;
use super::failure::FileFailure;
use super::stat::stat;
use crate::Cancel;

/// The form of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// POSIX pax, compressed by gzip.
    TarGz,
    /// Zip with deflate, zip64 where it is needed.
    Zip,
}

/// How an archive is made.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveOptions {
    /// Its form.
    pub format: ArchiveFormat,
    /// Most files: what is packed and what its format leaves out, but not what the guard refuses.
    pub max_files: u64,
    /// Most bytes of the finished archive.
    pub max_bytes: u64,
}

/// A finished archive.
#[derive(Debug)]
pub struct Archive {
    /// Where it is, from the start of the file on.
    pub file: File,
    /// Its size in bytes.
    pub size: u64,
}

/// Why there is no archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArchiveFailure {
    /// One of the paths, or something below it, can't be packed.
    #[error(transparent)]
    File(#[from] FileFailure),
    /// There are more files than this limit.
    #[error("more than {0} files")]
    TooMany(u64),
    /// The archive would be larger than this limit, in bytes.
    #[error("the archive is larger than {0} bytes")]
    TooLarge(u64),
    /// Nobody waits for it any more.
    #[error("cancelled")]
    Cancelled,
}

impl From<Errno> for ArchiveFailure {
    fn from(errno: Errno) -> Self {
        Self::File(errno.into())
    }
}

impl ArchiveFailure {
    /// The failure of reading a file or writing the archive.
    fn of_transfer(error: &io::Error) -> Self {
        Self::File(FileFailure::of_transfer(error))
    }
}

/// Packs what is under the paths, in their order: a file under its own name, of a directory everything below it that is
/// no directory, under the directory's name. Links in trees stay links in a tar and become what they lead to in a zip.
/// What the guard refuses, unfinished files and what vanishes meanwhile are left out.
///
/// `unnamed` makes an empty file that belongs to nobody else; it is asked once or twice.
///
/// # Errors
/// In this order: [`FileFailure::Missing`] when nothing is under one of the paths; [`ArchiveFailure::TooMany`]; then what
/// comes first of [`ArchiveFailure::TooLarge`] and [`FileFailure::Os`] (`EACCES` for a file that can't be read, `EIO` for
/// one that shrank while it was read). [`ArchiveFailure::Cancelled`] at any time.
pub fn archive(
    paths: &[CheckedPath],
    options: &ArchiveOptions,
    unnamed: impl Fn() -> io::Result<File>,
    cancel: &Cancel,
) -> Result<Archive, ArchiveFailure> {
    for path in paths {
        check(cancel)?;
        stat(path)?.ok_or(FileFailure::Missing)?;
    }
    let most = options.max_bytes;
    let unnamed = || unnamed().map_err(|error| ArchiveFailure::of_transfer(&error));
    match options.format {
        ArchiveFormat::TarGz => {
            let format = TarGz::begin(unnamed()?, most, cancel);
            Gathering::new(format, options, cancel).run(paths)
        }
        ArchiveFormat::Zip => {
            let format = Zip::begin(unnamed()?, unnamed()?, most, cancel);
            Gathering::new(Ok(format), options, cancel).run(paths)
        }
    }
}

fn check(cancel: &Cancel) -> Result<(), ArchiveFailure> {
    if cancel.is_cancelled() { Err(ArchiveFailure::Cancelled) } else { Ok(()) }
}
