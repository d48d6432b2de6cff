//! `abxd-compiler`: what is done to a component before the server loads it.
//!
//! `pack` puts its manifest into it, `compile` turns it into code for the machine, `inspect` shows what it is and what
//! it reaches. The server has no compiler in it and runs this program instead: for the built-in groups when abxd is
//! built, for a third party's components in a limited child (decision D73).
//!
//! Exit codes: 0 done, 1 not done (one line on stderr says why), 2 wrong arguments.

mod artifact;
mod cli;
mod compile;
mod confined;
mod inspect;
mod interfaces;
mod pack;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if stderr is gone.
            let _ = writeln!(std::io::stderr(), "abxd-compiler: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Pack { manifest, component, out } => {
            let unused = pack::pack(&manifest, &component, &out)?;
            if !unused.is_empty() {
                let names = unused.join(", ");
                let file = manifest.display();
                writeln!(
                    std::io::stderr(),
                    "abxd-compiler: {file}: the component does not use {names} of its imports"
                )?;
            }
            Ok(())
        }
        Command::Compile { component, out } => Ok(compile::compile(&component, &out)?),
        Command::Confined => Ok(confined::confined()?),
        Command::Inspect { component } => {
            let inspected = inspect::inspect(&component)?;
            Ok(write!(std::io::stdout(), "{inspected}")?)
        }
    }
}
