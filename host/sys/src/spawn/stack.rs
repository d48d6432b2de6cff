//! The memory that a child runs on until it runs its program.

use std::ffi::c_void;
use std::ptr;

use rustix::io::Errno;

/// Bytes that the child may use: its frames are a few hundred bytes deep.
const SIZE: usize = 64 * 1024;

/// A stack with a page below it that can't be touched. Unmapped when dropped.
pub(super) struct Stack {
    base: *mut c_void,
    length: usize,
}

impl Stack {
    pub(super) fn new() -> Result<Self, Errno> {
        // SAFETY: asks for a number. The answer is always positive.
        let guard = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(|_| Errno::INVAL)?;
        let length = guard + SIZE.next_multiple_of(guard);
        let errno = || Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::NOMEM);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
        // SAFETY: a new mapping wherever the kernel likes; nothing that exists is touched.
        let base = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(errno());
        }
        let stack = Self { base, length };
        // SAFETY: the lowest page of the mapping that was just made, which nobody uses.
        if unsafe { libc::mprotect(base, guard, libc::PROT_NONE) } != 0 {
            return Err(errno());
        }
        Ok(stack)
    }

    /// Its upper end, where a stack begins. A multiple of the page size, so aligned for every machine.
    pub(super) const fn top(&self) -> *mut c_void {
        self.base.wrapping_byte_add(self.length)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, whole. The child has left it: `clone` comes back no earlier.
        unsafe { libc::munmap(self.base, self.length) };
    }
}
