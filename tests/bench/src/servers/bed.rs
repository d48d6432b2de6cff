//! What all servers of a run are given: the same files, the same policy, the same token.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::ServerError;

/// Sizes of the files to download, in MiB.
pub const FILES: [u64; 3] = [5, 10, 100];

/// Bytes that files are made of. No two blocks of a file system's size are the same within it.
const BLOCK: usize = 1 << 20;

/// A directory to list.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// Number of its entries.
    pub entries: usize,
}

impl Listing {
    /// Of the usual size.
    pub const USUAL: Self = Self { entries: 1_000 };
    /// As large as directories of installed packages become.
    pub const LARGE: Self = Self { entries: 20_000 };

    fn name(self) -> String {
        format!("list-{}", self.entries)
    }
}

/// The files of one run; they go with it.
#[derive(Debug)]
pub struct Bed {
    folder: TempDir,
}

impl Bed {
    /// The one token.
    pub const TOKEN: &str = "token-of-a-benchmark";

    /// Make the files in a new folder in `scratch`.
    ///
    /// # Errors
    /// The system's, for the folder.
    pub fn make(scratch: &Path) -> Result<Self, ServerError> {
        let make = || {
            let bed = Self { folder: tempfile::tempdir_in(scratch)? };
            bed.fill()?;
            Ok(bed)
        };
        make().map_err(ServerError::files(scratch))
    }

    fn fill(&self) -> io::Result<()> {
        fs::create_dir(self.root())?;
        fs::write(self.root().join("stat.txt"), "a file to look at\n")?;
        for listing in [Listing::USUAL, Listing::LARGE] {
            let folder = self.root().join(listing.name());
            fs::create_dir(&folder)?;
            for number in 0..listing.entries {
                fs::write(folder.join(format!("entry-{number:05}.txt")), "an entry\n")?;
            }
        }
        for size in FILES {
            fill(&self.root().join(format!("{size}.bin")), size)?;
        }
        fs::write(self.policy(), self.document().to_string())
    }

    /// The policy document that all servers are given, for others to be made of.
    #[must_use]
    pub fn document(&self) -> Value {
        json!({
            "base_dir": self.root(),
            "groups": ["dev_tools", "browser", "agents"],
            "endpoints": {
                "*": {"limits": {"max_request_bytes": "256MiB"}, "audit": "off"},
                "shell": {"limits": {"max_output_bytes": "1MiB"}},
                "files_list": {"limits": {"max_entries": Listing::LARGE.entries}},
                "files_archive": {"limits": {"max_bytes": "2GiB"}},
            },
        })
    }

    /// The same with other members, each at the place that names lead to.
    #[must_use]
    pub fn document_with(&self, members: impl IntoIterator<Item = (Vec<&'static str>, Value)>) -> Value {
        let mut document = self.document();
        for (names, value) in members {
            let place = names.into_iter().try_fold(&mut document, |place, name| {
                Some(place.as_object_mut()?.entry(name).or_insert_with(|| json!({})))
            });
            if let Some(place) = place {
                *place = value;
            }
        }
        document
    }

    /// Keep a file that no server works on.
    ///
    /// # Errors
    /// The system's.
    pub fn keep(&self, name: &str, content: impl AsRef<[u8]>) -> Result<PathBuf, ServerError> {
        let path = self.folder.path().join(name);
        fs::write(&path, content).map_err(ServerError::files(&path))?;
        Ok(path)
    }

    /// Make an empty directory for servers to work on, in place of the one of this name.
    ///
    /// # Errors
    /// The system's.
    pub fn fresh(&self, name: &str) -> Result<PathBuf, ServerError> {
        let path = self.root().join(name);
        let make = || {
            if path.exists() {
                fs::remove_dir_all(&path)?;
            }
            fs::create_dir(&path)
        };
        make().map_err(ServerError::files(&path))?;
        Ok(path)
    }

    /// Make a file of so many MiB that no compression makes smaller.
    ///
    /// # Errors
    /// The system's.
    pub fn large(&self, size: u64) -> Result<PathBuf, ServerError> {
        let path = self.root().join("large.bin");
        fill(&path, size).map_err(ServerError::files(&path))?;
        Ok(path)
    }

    /// 1 MiB that no compression makes smaller.
    #[must_use]
    pub fn block() -> Vec<u8> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        (0..BLOCK / 8).flat_map(|_| next()).collect()
    }

    /// The directory that the servers may touch.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("box")
    }

    /// The home directory of servers that keep anything in it.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    /// The policy document.
    #[must_use]
    pub fn policy(&self) -> PathBuf {
        self.folder.path().join("policy.json")
    }

    /// Where `name` logs.
    #[must_use]
    pub fn log(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.log"))
    }

    /// `path` of an endpoint, asked about the file `name`.
    #[must_use]
    pub fn target(&self, path: &str, name: &str) -> String {
        let file = self.root().join(name);
        let file =
            percent_encoding::percent_encode(file.as_os_str().as_encoded_bytes(), percent_encoding::NON_ALPHANUMERIC);
        format!("{path}?path={file}")
    }

    /// The target that lists a directory whole.
    #[must_use]
    pub fn listing(&self, listing: Listing) -> String {
        let target = self.target("/files/list", &listing.name());
        format!("{target}&max_entries={}", listing.entries)
    }
}

/// Write a file of so many MiB. Its write-back is over then: it should be before anything is measured.
fn fill(path: &Path, size: u64) -> io::Result<()> {
    let block = Bed::block();
    let mut file = File::create(path)?;
    for _ in 0..size {
        file.write_all(&block)?;
    }
    file.sync_all()
}
