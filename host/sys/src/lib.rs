//! The only crate of the host with `unsafe` in it. Each module holds one unsafe operation behind a safe function that
//! checks what can be checked, and states what it relies on.
//!
//! | module | operation | relies on |
//! |---|---|---|
//! | [`component`] (feature `components`) | map compiled code | only the owner of the program can write the file |
//! | [`confinement`] | bound what a child may open | nothing else |
//! | [`environment`] | wipe secrets from the environment block | the process still has one thread |
//! | [`pty`] | another descriptor of a terminal that a library opened | the library's number is its descriptor's |
//! | [`spawn`](mod@spawn) | start a program without copying the server | the child calls nothing but the kernel until it runs the program |
//! | [`wait`] | look at an ended child without reaping it | nothing else |

#[cfg(feature = "components")]
pub mod component;
pub mod confinement;
pub mod environment;
pub mod pty;
pub mod spawn;
pub mod wait;
