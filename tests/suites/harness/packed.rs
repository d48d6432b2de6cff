//! Archives, read by other implementations than the server's.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use tar::{Archive, EntryType};
use zip::ZipArchive;

/// What a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Member {
    File(Vec<u8>),
    /// The text of a link.
    Link(Vec<u8>),
    /// The name of the member that this is another name of.
    Twin(Vec<u8>),
    /// Anything else, by its type in a tar.
    Other(u8),
}

impl Member {
    pub(crate) fn file(content: impl AsRef<[u8]>) -> Self {
        Self::File(content.as_ref().to_owned())
    }
}

/// The members of an archive by name.
pub(crate) type Members = BTreeMap<Vec<u8>, Member>;

/// The members of the archive in an answer of `files_archive`.
#[track_caller]
pub(crate) fn members(answer: &Value) -> Members {
    let bytes = BASE64_STANDARD.decode(answer["content_base64"].as_str().unwrap()).unwrap();
    assert_eq!(answer["bytes"], bytes.len());
    assert_eq!(answer.as_object().unwrap().len(), 3, "{answer}");
    match answer["format"].as_str().unwrap() {
        "tar.gz" => of_tar(&bytes),
        "zip" => of_zip(&bytes),
        other => panic!("{other}"),
    }
}

fn of_tar(bytes: &[u8]) -> Members {
    let mut archive = Archive::new(MultiGzDecoder::new(bytes));
    let member = |mut entry: tar::Entry<'_, MultiGzDecoder<&[u8]>>| {
        let target = entry.link_name_bytes().map(|name| name.into_owned()).unwrap_or_default();
        let kind = match entry.header().entry_type() {
            EntryType::Regular => {
                let mut content = Vec::new();
                entry.read_to_end(&mut content).unwrap();
                Member::File(content)
            }
            EntryType::Symlink => Member::Link(target),
            EntryType::Link => Member::Twin(target),
            other => Member::Other(other.as_byte()),
        };
        (entry.path_bytes().into_owned(), kind)
    };
    archive.entries().unwrap().map(|entry| member(entry.unwrap())).collect()
}

fn of_zip(bytes: &[u8]) -> Members {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let mut content = Vec::new();
            // The check sum is looked at, too.
            entry.read_to_end(&mut content).unwrap();
            (entry.name_raw().to_vec(), Member::File(content))
        })
        .collect()
}
