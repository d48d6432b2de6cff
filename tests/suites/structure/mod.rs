//! What must hold of the code itself: which crate knows nothing of what, how large a room may get, where `unsafe` is, and
//! that released interfaces stay as they are.

mod dependencies;
mod interfaces;
mod sources;
mod table;
mod tree;
