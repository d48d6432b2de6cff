//! The process guard (`contract: guards §3`): what a program's word stands for, looked up once (D40 of the decisions).
//!
//! [`ProcessGuard::check`] turns the word into a [`CheckedProgram`], which holds the file that was found and judged as
//! an open descriptor. That file is what runs, whatever `PATH` the child gets and whatever is put in its place later.
//! The descriptor closes with the value.

mod checked;
mod denial;
mod guard;
mod lookup;

pub use checked::{CheckedProgram, ProgramFile};
pub use denial::{ProcessDenial, ProgramFailure};
pub use guard::ProcessGuard;
