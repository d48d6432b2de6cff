use std::env::consts::ARCH;

use crate::{ASYNC_STACK, MAX_WASM_STACK};

/// The wasmtime that the workspace pins.
const WASMTIME: &str = "48.0.8";

/// A text that differs whenever compiled code of one engine might not load into another: part of the key under which
/// compiled third-party components are kept, beside their digest. It has no blanks and no slashes.
#[must_use]
pub fn fingerprint() -> String {
    format!("wasmtime-{WASMTIME}-{ARCH}-epochs-wasm{MAX_WASM_STACK}-fibre{ASYNC_STACK}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_the_wasmtime_that_is_linked() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"wasmtime\"\nversion = \"{WASMTIME}\"\n")));
    }

    #[test]
    fn it_can_be_a_file_name() {
        assert!(fingerprint().bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte)));
    }
}
