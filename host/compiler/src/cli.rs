use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Packs, compiles and shows components for abxd.
#[derive(Debug, Parser)]
#[command(name = "abxd-compiler", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Put a manifest into a component.
    Pack {
        /// The group's plugin.toml.
        #[arg(long, value_name = "FILE")]
        manifest: PathBuf,
        /// The component as it came from its language's compiler.
        #[arg(long, value_name = "FILE")]
        component: PathBuf,
        /// Where to write the component with its manifest.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Compile a component to machine code for this machine's architecture, whatever the processor's model.
    Compile {
        /// The component.
        #[arg(long, value_name = "FILE")]
        component: PathBuf,
        /// Where to write the code.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Compile stdin to stdout within fixed limits: what the server runs for components of third parties.
    Confined,
    /// Show a component's digest, manifest, imports and exports.
    Inspect {
        /// The component.
        #[arg(value_name = "FILE")]
        component: PathBuf,
    },
}
