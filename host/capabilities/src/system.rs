//! Facts of the machine (`contract: system`): what it is, how full it is, who listens, what package managers know.
//!
//! Nothing is kept between two calls but the version of Python ([`Python`]). [`facts()`] and [`listeners()`] block for as
//! long as it takes to read a few files of the kernel's; the rest waits for a program that the supervisor runs,
//! isolated (decision D45) and for ten seconds at most.

mod disk;
mod facts;
mod limits;
mod listeners;
mod lookup;
mod memory;
mod packages;
mod python;

pub use disk::Disk;
pub use facts::{Facts, facts};
pub use limits::Limits;
pub use listeners::{Listener, listeners};
pub use lookup::LookupFailure;
pub use memory::Memory;
pub use packages::{PackageManager, packages};
pub use python::Python;
