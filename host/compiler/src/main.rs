//! abxd-compiler.
fn main() {}
