//! The only crate of the host with `unsafe` in it. Each module holds one unsafe operation behind a safe function that
//! checks what can be checked, and states what it relies on.
//!
//! | module | operation | relies on |
//! |---|---|---|
//! | [`component`] | map compiled code | only the owner of the program can write the file |
//! | [`environment`] | wipe secrets from the environment block | the process still has one thread |

pub mod component;
pub mod environment;
