//! Wiping secrets from the process's environment.

use std::ffi::{CStr, CString, c_char};
use std::io;

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// Why the environment was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum WipeError {
    /// Another thread could be reading the environment.
    #[error("the environment can be changed only while the process has one thread")]
    Threads,
    /// The number of threads can't be told.
    #[error("/proc/self/task: {0}")]
    Unknown(#[from] io::Error),
}

/// Remove variables from the environment and overwrite their values where they stand, so that neither a child nor a
/// reader of `/proc/<pid>/environ` finds them (decision D43).
///
/// # Errors
/// [`WipeError::Threads`] unless the calling thread is the only one.
pub fn wipe(names: &[String]) -> Result<(), WipeError> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(WipeError::Threads);
    }
    for name in names {
        let Ok(name) = CString::new(name.as_str()) else { continue };
        // SAFETY: this is the only thread, so nobody reads or changes the environment meanwhile; `environ` is the C
        // library's array, ended by a null pointer, of NUL-ended texts that stand in memory the process may write
        // (the initial block on the stack, or the C library's heap).
        unsafe {
            overwrite(&name);
            libc::unsetenv(name.as_ptr());
        }
    }
    Ok(())
}

/// Set every byte of the value of each entry `name=value` to zero.
///
/// # Safety
/// As in [`wipe`]: one thread, an intact environment.
unsafe fn overwrite(name: &CStr) {
    let name = name.to_bytes();
    // SAFETY: by the contract of this function the array and its texts are valid and nobody else uses them.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            let text = *entry;
            let bytes = CStr::from_ptr(text).to_bytes();
            let length = bytes.len();
            if bytes.get(..name.len()) == Some(name) && bytes.get(name.len()) == Some(&b'=') {
                let from = name.len() + 1;
                std::ptr::write_bytes(text.add(from), 0, length - from);
            }
            entry = entry.add(1);
        }
    }
}
