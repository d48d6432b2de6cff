//! Names of unfinished files. They begin with a dot, are unlikely to be chosen by anyone else, and are left out of
//! listings.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};

const PREFIX: &str = ".abxd-tmp-";
/// Hexadecimal digits after the prefix.
const DIGITS: usize = 16;

/// A name that nothing has yet, in all likelihood; callers create exclusively.
///
/// # Errors
/// The errno of asking for random bytes.
pub(super) fn fresh() -> Result<OsString, Errno> {
    let mut bytes = [0; DIGITS / 2];
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(format!("{PREFIX}{:0width$x}", u64::from_ne_bytes(bytes), width = DIGITS).into())
}

/// Whether `name` is one that unfinished files have.
#[must_use]
pub fn is_temporary(name: &OsStr) -> bool {
    name.as_bytes().strip_prefix(PREFIX.as_bytes()).is_some_and(|digits| {
        digits.len() == DIGITS && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::{fresh, is_temporary};
    use std::ffi::OsStr;

    #[test]
    fn only_the_exact_form_counts_as_temporary() {
        assert!(is_temporary(&fresh().unwrap()));
        for name in [".abxd-tmp-", ".abxd-tmp-0123", ".abxd-tmp-0123456789ABCDEF", ".abxd-tmp-0123456789abcdef0", "x"] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }
}
