//! The files of the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::checkout;

/// Folders that are no source: what is built, and what version control keeps.
const PASSED_BY: [&str; 4] = ["target", ".git", "node_modules", "__pycache__"];

/// The files below a folder of the checkout for which `is_wanted`, in order; paths begin at the checkout.
pub(crate) fn files(folder: &str, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![checkout().join(folder)];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|cause| panic!("{}: {cause}", next.display())) {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && PASSED_BY.iter().all(|name| entry.file_name() != *name) {
                pending.push(entry.path());
            } else if kind.is_file() && is_wanted(&entry.path()) {
                found.push(entry.path().strip_prefix(checkout()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Every Rust file of the project.
pub(crate) fn rust_files() -> Vec<PathBuf> {
    let found: Vec<_> = ["host", "plugins", "tests"]
        .iter()
        .flat_map(|folder| files(folder, |path| path.extension().is_some_and(|end| end == "rs")))
        .collect();
    assert!(found.len() > 100, "the sources are not where they are looked for");
    found
}

/// The text of a file of the checkout.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = checkout().join(path);
    fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}
