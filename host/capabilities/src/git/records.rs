//! What git prints with `-z`: each record ends with a NUL.

use std::io::{self, BufRead, Read};

/// Longest record: more than any name that a working tree can have.
const LONGEST: u64 = 64 << 10;

/// The next record. None: there is none.
///
/// # Errors
/// It is too long, or was broken off, or can't be read.
pub(super) fn next(records: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut record = Vec::new();
    records.take(LONGEST).read_until(0, &mut record)?;
    match record.pop() {
        None => Ok(None),
        Some(0) => Ok(Some(record)),
        Some(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}
