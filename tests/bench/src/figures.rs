//! What is measured, and what is to be reached.
//!
//! Every workload is run in rounds, and in each round on every server in turn, so that what disturbs the machine for a
//! while disturbs all of them. A figure keeps all rounds.

mod browser;
mod figure;
mod goals;
mod lists;
mod memory;
mod plugins;
mod processes;
mod rounds;
mod sample;
mod spread;
mod start;
mod stat;
mod terminals;
mod transfers;
mod trees;

pub use figure::{Figure, Key, Unit};
pub use goals::{Goal, goals};
pub use spread::Spread;

use crate::load::LoadError;
use crate::servers::ServerError;
use rounds::Rounds;

pub use rounds::{Effort, Site};

/// Why a figure could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// A server did not do what it should.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A load was not carried through.
    #[error("{subject}: {cause}")]
    Load {
        /// The server under load.
        subject: crate::servers::Subject,
        /// What happened.
        cause: LoadError,
    },
    /// A terminal does not do what it should.
    #[error("a terminal of {subject}: {cause}")]
    Terminal {
        /// The server.
        subject: crate::servers::Subject,
        /// What happened.
        cause: std::io::Error,
    },
    /// A program that is measured by itself does not run.
    #[error("{program}: {cause}")]
    Spawn {
        /// The program.
        program: &'static str,
        /// What happened.
        cause: std::io::Error,
    },
    /// A component does not load.
    #[error("loading components: {0}")]
    Components(Box<dyn std::error::Error + Send + Sync>),
}

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Start-up.
    Start,
    /// Resident memory.
    Memory,
    /// Looking at one file: what a request costs.
    Stat,
    /// Listing directories.
    List,
    /// Uploads and downloads.
    Transfers,
    /// Whole trees of files: searched, packed and watched.
    Trees,
    /// Commands: what one costs, and what their output does to the server.
    Processes,
    /// The browser: images of a page.
    Browser,
    /// Components: what they cost, and what they can't do to others.
    Plugins,
    /// Terminals: keystrokes, output, what one holds.
    Terminals,
}

impl Part {
    /// All, in the order of a run.
    pub const ALL: [Self; 10] = [
        Self::Start,
        Self::Memory,
        Self::Stat,
        Self::List,
        Self::Transfers,
        Self::Trees,
        Self::Processes,
        Self::Browser,
        Self::Plugins,
        Self::Terminals,
    ];

    /// As it is called on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Memory => "memory",
            Self::Stat => "stat",
            Self::List => "list",
            Self::Transfers => "transfers",
            Self::Trees => "trees",
            Self::Processes => "processes",
            Self::Browser => "browser",
            Self::Plugins => "plugins",
            Self::Terminals => "terminals",
        }
    }

    /// Measure it.
    ///
    /// # Errors
    /// See [`FigureError`].
    pub fn measure(self, site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
        match self {
            Self::Start => start::measure(site),
            Self::Memory => memory::measure(site),
            Self::Stat => stat::measure(&Rounds::begin(site)?),
            Self::List => lists::measure(&Rounds::begin(site)?),
            Self::Transfers => transfers::measure(&Rounds::begin(site)?),
            Self::Trees => trees::measure(site),
            Self::Processes => processes::measure(site),
            Self::Browser => browser::measure(site),
            Self::Plugins => plugins::measure(site),
            Self::Terminals => terminals::measure(site),
        }
    }
}
