//! The program. See [`abxd::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    abxd::cli::run()
}
