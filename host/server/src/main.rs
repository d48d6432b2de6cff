//! abxd.
fn main() {}
