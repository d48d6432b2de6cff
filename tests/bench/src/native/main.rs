//! What abxd is measured against. Never shipped.
//!
//! `pipeline` serves abxd's own pipeline, policy and guards, with handlers inside the host in place of the components of
//! a few endpoints: what it is faster by is what components cost. `stream` serves one file with nothing in between.

mod blocking;
mod download;
mod list;
mod pipeline;
mod stat;
mod stream;
mod upload;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A server to compare with.
#[derive(Debug, Parser)]
#[command(name = "abxd-bench-native")]
struct Cli {
    /// Port on the loopback address.
    #[arg(long, global = true, default_value_t = 9100)]
    port: u16,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// abxd's pipeline with native handlers.
    Pipeline {
        /// The policy document, JSON.
        #[arg(long, value_name = "FILE")]
        policy: PathBuf,
    },
    /// One file, and an empty answer to `/health`.
    Stream {
        /// The file.
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
    },
}

/// Why a server does not start, in words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let Cli { port, command } = Cli::parse();
    let served = match command {
        Command::Pipeline { policy } => pipeline::serve(port, &policy),
        Command::Stream { file } => stream::serve(port, file),
    };
    let Err(failure) = served else { return ExitCode::SUCCESS };
    // Nobody is there to be told if this fails.
    let _ = writeln!(std::io::stderr(), "abxd-bench-native: {failure}");
    ExitCode::FAILURE
}

/// As many threads for blocking work as abxd has.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(256).build()
}
