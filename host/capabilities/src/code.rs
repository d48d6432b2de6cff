//! Running code in a fresh interpreter (`contract: dev_tools`, `code_run`).
//!
//! Code that fits is an argument of the interpreter's. What doesn't is handed over in memory of the kernel's
//! (`parcel`), which has no name and goes with the last who holds it; a few words of the language itself then run it as
//! the main program, with everything that it can see as it would be otherwise (decision D37).
//!
//! Nothing here outlives its call but what [`Supervisor::finish`] says of children.

mod language;
mod parcel;

use std::sync::Arc;

use abxd_guards::environment::{CheckedEnvironment, SecretNames};
use abxd_guards::process::CheckedProgram;
use rustix::io::Errno;

use crate::process::{
    ChildEnvironment, Directory, Finished, Launch, RunFailure, RunOptions, StartFailure, Stdio, Supervisor,
};

pub use language::Language;

/// Longest argument in bytes: the kernel's limit of 32 pages, with the NUL that ends it (`execve(2)`).
const LONGEST_ARGUMENT: usize = 131_071;

/// Code to run, and what to run it with.
#[derive(Debug)]
pub struct Script {
    /// What it is written in.
    pub language: Language,
    /// The interpreter: what the process guard found for [`Language::program`].
    pub program: CheckedProgram,
    /// The code. Has no NUL in it.
    pub code: String,
    /// Names of variables that it does not see.
    pub hidden: Arc<SecretNames>,
}

/// Runs code in the server's working directory, without input, as the main program of its interpreter. Its end, its
/// time-out and what happens when `left` resolves are those of [`Supervisor::run`].
///
/// # Errors
/// See [`RunFailure`].
pub async fn run(
    supervisor: &Supervisor,
    script: Script,
    options: RunOptions,
    left: impl Future<Output = ()> + Send,
) -> Result<Finished, RunFailure> {
    let Script { language, program, code, hidden } = script;
    let mut stdio = Stdio::captured();
    let argument = if code.len() <= LONGEST_ARGUMENT {
        code
    } else {
        let packed = tokio::task::spawn_blocking(move || parcel::pack(code.as_bytes())).await;
        let packed = packed.unwrap_or(Err(Errno::CANCELED)).map_err(StartFailure::Os)?;
        stdio.inherit.push((packed, parcel::NUMBER));
        language.unpacking().to_owned()
    };
    let launch = Launch {
        program,
        argv: vec![language.program().to_owned(), language.option().to_owned(), argument],
        directory: Directory::Server,
        environment: ChildEnvironment::Inherit { hidden, extra: CheckedEnvironment::default() },
    };
    let spawned = supervisor.spawn(launch, stdio).await?;
    supervisor.finish(spawned, options, left).await
}
