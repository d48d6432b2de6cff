//! A tree of small files, as a checkout of sources is one.

use std::fs;
use std::path::PathBuf;

use super::{Bed, ServerError};

/// The tree of one run.
#[derive(Debug)]
pub struct Tree {
    /// Its root.
    pub path: PathBuf,
}

impl Tree {
    /// Files in it, in as many directories as files in each.
    pub const FILES: usize = Self::SIDE * Self::SIDE;

    const SIDE: usize = 100;

    /// Make it.
    ///
    /// # Errors
    /// The system's.
    pub fn make(bed: &Bed) -> Result<Self, ServerError> {
        let path = bed.fresh("tree")?;
        let fill = || {
            for directory in 0..Self::SIDE {
                let folder = path.join(format!("directory-{directory:02}"));
                fs::create_dir(&folder)?;
                for file in 0..Self::SIDE {
                    let line = format!("line of file {file} in directory {directory}\n");
                    fs::write(folder.join(format!("file-{file:02}.txt")), line.repeat(8))?;
                }
            }
            Ok(())
        };
        fill().map_err(ServerError::files(&path))?;
        Ok(Self { path })
    }
}
