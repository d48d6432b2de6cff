//! `confined`: what the server runs for a component that it doesn't trust.
//!
//! Component on stdin, code on stdout. The process limits itself before it looks at the first byte, so a component made
//! to be hard to compile costs at most this much; and it does not outlive the server.

use std::io::{self, Read, Write};

use abxd_engine::EngineError;
use abxd_manifest::section;
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use thiserror::Error;
use wasmtime::Engine;

/// CPU time, in seconds, over all threads.
const CPU_SECONDS: u64 = 240;

/// Address space, in bytes.
const MEMORY: u64 = 8 << 30;

/// Bytes of code.
const CODE: u64 = 512 << 20;

/// Why no code was written.
#[derive(Debug, Error)]
pub(crate) enum ConfinedError {
    #[error("the limits can't be set: {0}")]
    Limits(rustix::io::Errno),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("compiled code is not taken")]
    Precompiled,
    #[error(transparent)]
    Section(#[from] section::SectionError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{0}")]
    Refused(String),
}

/// Compile stdin to stdout.
pub(crate) fn confined() -> Result<(), ConfinedError> {
    let limit = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::Cpu, CPU_SECONDS).map_err(ConfinedError::Limits)?;
    limit(Resource::As, MEMORY).map_err(ConfinedError::Limits)?;
    limit(Resource::Fsize, CODE).map_err(ConfinedError::Limits)?;
    limit(Resource::Core, 0).map_err(ConfinedError::Limits)?;
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(ConfinedError::Limits)?;
    let mut component = Vec::new();
    io::stdin().lock().read_to_end(&mut component)?;
    if Engine::detect_precompiled(&component).is_some() {
        return Err(ConfinedError::Precompiled);
    }
    section::read(&component)?;
    let config = abxd_engine::packaging_config()?;
    let one_line = |words: String| words.split_whitespace().collect::<Vec<_>>().join(" ");
    let engine = Engine::new(&config).map_err(|error| EngineError::Start { detail: format!("{error:#}") })?;
    let code = engine.precompile_component(&component);
    let code = code.map_err(|error| ConfinedError::Refused(one_line(format!("{error:#}"))))?;
    let mut out = io::stdout().lock();
    out.write_all(&code)?;
    Ok(out.flush()?)
}
