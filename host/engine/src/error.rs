use thiserror::Error;

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// There is no such machine as far as the compiler knows.
    #[error("no code can be made for {triple}: {detail}")]
    Target {
        /// What the machine is called.
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
