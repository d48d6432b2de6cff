use thiserror::Error;

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The target triple is not one that the compiler knows.
    #[error("target {triple:?}: {detail}; give one like x86_64-unknown-linux-gnu")]
    Target {
        /// As it was given.
        triple: String,
        /// The compiler's own words.
        detail: String,
    },
    /// The engine refused its settings, with both ways of allocating instances.
    #[error("the WebAssembly engine does not start: {detail}")]
    Start {
        /// The engine's own words.
        detail: String,
    },
}
