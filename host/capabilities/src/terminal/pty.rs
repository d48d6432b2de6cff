//! A pseudo-terminal: its server's end, and its size.
//!
//! `portable-pty` opens the pair and knows the ioctls. Its slave can only start a program by its own means, so the
//! supervisor opens the slave by its name; and its master can only be read by a thread that waits, so the descriptor is
//! read here, by the runtime.
//!
//! The server holds the slave open as long as the shell runs: a master without any slave is at its end, for ever as far as
//! `epoll` is concerned, also where a program only closes its terminal to open it again.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use portable_pty::{MasterPty, PtySize, SlavePty};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::Pid;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters of a line.
    pub cols: u16,
    /// Lines.
    pub rows: u16,
}

impl From<Size> for PtySize {
    fn from(size: Size) -> Self {
        Self { rows: size.rows, cols: size.cols, pixel_width: 0, pixel_height: 0 }
    }
}

/// A pair before anything runs on it.
pub(super) struct Pair {
    master: Box<dyn MasterPty + Send>,
    slave: Box<dyn SlavePty + Send>,
    descriptor: OwnedFd,
}

impl Pair {
    /// Opens one. Blocks for moments.
    ///
    /// # Errors
    /// There is none to be had.
    pub(super) fn open(size: Size) -> io::Result<Self> {
        let (pair, descriptor) = abxd_sys::pty::open(size.into())?;
        fcntl_setfl(&descriptor, fcntl_getfl(&descriptor)? | OFlags::NONBLOCK)?;
        Ok(Self { master: pair.master, slave: pair.slave, descriptor })
    }

    /// What the program opens.
    ///
    /// # Errors
    /// It has no name here.
    pub(super) fn name(&self) -> io::Result<CString> {
        let name = self.master.tty_name().ok_or(Errno::NOTTY)?;
        CString::new(name.into_os_string().into_vec()).map_err(|_| Errno::INVAL.into())
    }

    /// A program has opened the terminal. Must run inside the runtime.
    ///
    /// # Errors
    /// The runtime can't watch it.
    pub(super) fn taken(self) -> io::Result<Master> {
        #[expect(
            deprecated,
            reason = "unsound only for what is no owned descriptor; the other one is an unsafe function"
        )]
        let descriptor = AsyncFd::with_interest(self.descriptor, Interest::READABLE | Interest::WRITABLE)?;
        Ok(Master { descriptor, pty: Mutex::new(self.master), slave: Mutex::new(Some(self.slave)) })
    }
}

/// The server's end. The terminal hangs up when it is dropped.
pub(super) struct Master {
    descriptor: AsyncFd<OwnedFd>,
    /// For its ioctls, which do not wait.
    pty: Mutex<Box<dyn MasterPty + Send>>,
    slave: Mutex<Option<Box<dyn SlavePty + Send>>>,
}

impl Master {
    /// Reads what there is, at most as much as fits; 0 once the terminal is at its end. Cancel safe.
    ///
    /// # Errors
    /// Nothing can be read any more.
    pub(super) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.descriptor.readable().await?;
            let has_hung_up = ready.ready().is_read_closed();
            let mut filled = 0;
            // The kernel hands over a page at a time. More of them together make fewer messages of them.
            let read = ready.try_io(|descriptor| {
                while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
                    match rustix::io::read(descriptor, rest) {
                        Ok(0) | Err(Errno::IO) => break,
                        Ok(bytes) => filled += bytes,
                        Err(Errno::INTR) => {}
                        Err(Errno::AGAIN) if filled > 0 => return Err(io::ErrorKind::WouldBlock.into()),
                        Err(errno) => return Err(errno.into()),
                    }
                }
                Ok(filled)
            });
            match read {
                Ok(read) => return read,
                // What was read before the terminal was empty.
                Err(_) if filled > 0 => return Ok(filled),
                // It has hung up, and somebody has opened it again: the runtime would say for ever that it is ready.
                Err(_) if has_hung_up => return Ok(0),
                Err(_) => {}
            }
        }
    }

    /// Types as much as the terminal takes now.
    ///
    /// # Errors
    /// `WouldBlock`, or what the kernel says.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(self.descriptor.get_ref(), bytes) {
                Err(Errno::INTR) => {}
                written => return Ok(written?),
            }
        }
    }

    /// Goes on writing, by `write`, until it is through.
    ///
    /// # Errors
    /// Nothing can be written any more.
    pub(super) async fn write_through(&self, mut write: impl FnMut() -> io::Result<()>) -> io::Result<()> {
        loop {
            let mut ready = self.descriptor.writable().await?;
            let has_hung_up = ready.ready().is_write_closed();
            match ready.try_io(|_| write()) {
                Ok(written) => return written,
                // As above: a terminal that has hung up takes nothing, and is ready for it for ever.
                Err(_) if has_hung_up => return Err(Errno::IO.into()),
                Err(_) => {}
            }
        }
    }

    fn pty(&self) -> MutexGuard<'_, Box<dyn MasterPty + Send>> {
        self.pty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the size. Programs in the foreground are told by SIGWINCH.
    pub(super) fn resize(&self, size: Size) {
        // Fails only where there is no terminal any more, which is no matter then (contract: terminal, resize).
        let _ = self.pty().resize(size.into());
    }

    /// The process group in the foreground.
    pub(super) fn foreground(&self) -> Option<Pid> {
        self.pty().process_group_leader().and_then(Pid::from_raw)
    }

    /// The shell has ended: when the last program lets go of the terminal, that is its end.
    pub(super) fn let_go(&self) {
        drop(self.slave.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
