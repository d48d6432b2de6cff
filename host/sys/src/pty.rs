//! A descriptor of its own for the server's end of a pseudo-terminal.
//!
//! `portable-pty` shows the number of the descriptor that it keeps, and no way to wait for it but a thread.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

use portable_pty::{PtyPair, PtySize, native_pty_system};
use rustix::io::{Errno, fcntl_dupfd_cloexec};

/// Open a pair, with another descriptor of its master.
///
/// # Errors
/// The system has no more of them, or the process may have no more descriptors.
pub fn open(size: PtySize) -> io::Result<(PtyPair, OwnedFd)> {
    // Which error it was stands in its text only.
    let pair = native_pty_system().openpty(size).map_err(io::Error::other)?;
    let number = pair.master.as_raw_fd().ok_or(Errno::BADF)?;
    // SAFETY: the pair was opened here by the platform's own implementation, owns the descriptor with that number, and
    // outlives the borrow.
    let master = unsafe { BorrowedFd::borrow_raw(number) };
    let descriptor = fcntl_dupfd_cloexec(master, 0)?;
    Ok((pair, descriptor))
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{Read, Write};

    use super::{PtySize, open};

    #[test]
    fn the_descriptor_is_the_masters_and_its_own() {
        let (pair, descriptor) = open(PtySize { rows: 17, cols: 91, pixel_width: 0, pixel_height: 0 }).unwrap();
        let slave = pair.master.tty_name().unwrap();
        let mut slave = OpenOptions::new().read(true).write(true).open(slave).unwrap();
        // It stays open without the pair.
        drop(pair);
        let mut master = std::fs::File::from(descriptor);
        slave.write_all(b"out").unwrap();
        let mut bytes = [0; 3];
        master.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"out");
    }
}
