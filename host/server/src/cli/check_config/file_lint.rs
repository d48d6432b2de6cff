//! Lint L5: can whoever runs this change the policy? (contract: policy §11)

use std::path::Path;

use rustix::fs::{Access, access};

/// The warnings about the policy's file.
pub(super) fn lint(file: &Path) -> Vec<String> {
    let directory = match file.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let mut warnings = Vec::new();
    if access(file, Access::WRITE_OK).is_ok() {
        warnings.push(format!("L5: the policy file {} is writable by the current user", file.display()));
    }
    if access(directory, Access::WRITE_OK).is_ok() {
        warnings.push(format!(
            "L5: the directory of the policy file, {}, is writable by the current user",
            directory.display()
        ));
    }
    warnings
}
