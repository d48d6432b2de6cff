//! The interface as Rust, generated from `wit/`.
//!
//! `unsafe` is needed where values cross into and out of linear memory; none of it is written by hand. Off WebAssembly the
//! imports are stubs that must not be called.

#![allow(
    missing_docs,
    unreachable_pub,
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "generated: the canonical ABI works on raw memory, and WIT documents what it names"
)]

wit_bindgen::generate!({
    path: ["../../wit/abx-host/0.1.0", "../../wit/abx-plugin/0.1.0"],
    world: "abx:plugin/plugin@0.1.0",
    generate_all,
    pub_export_macro: true,
    default_bindings_module: "abx_sdk::bindings",
});
