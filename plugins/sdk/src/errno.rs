//! Names for errors of the operating system.

/// The contract's `type` for an errno (Linux numbers): the name of Python's exception class. Contract: file_ops §1.1.
pub(crate) fn class(errno: u16) -> &'static str {
    match errno {
        1 | 13 => "PermissionError", // EPERM, EACCES
        2 => "FileNotFoundError",    // ENOENT
        17 => "FileExistsError",     // EEXIST
        20 => "NotADirectoryError",  // ENOTDIR
        21 => "IsADirectoryError",   // EISDIR
        110 => "TimeoutError",       // ETIMEDOUT
        _ => "OSError",
    }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn every_errno_of_the_table_has_its_class() {
        for (errno, name) in [
            (1, "PermissionError"),
            (13, "PermissionError"),
            (17, "FileExistsError"),
            (20, "NotADirectoryError"),
            (21, "IsADirectoryError"),
            (2, "FileNotFoundError"),
            (110, "TimeoutError"),
        ] {
            assert_eq!(class(errno), name);
        }
        // ENAMETOOLONG, ENOSPC, EINVAL, ENXIO, ELOOP, EROFS, ENOTEMPTY, EXDEV, EBUSY
        for errno in [36, 28, 22, 6, 40, 30, 39, 18, 16, 0, u16::MAX] {
            assert_eq!(class(errno), "OSError");
        }
    }
}
