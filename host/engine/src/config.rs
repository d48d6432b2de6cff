use wasmtime::{Config, WasmBacktraceDetails};

use crate::EngineError;

/// Bytes of stack that a component's code may use.
pub const MAX_WASM_STACK: usize = 512 << 10;

/// Bytes of a fibre's stack: the component's part, and what the host functions it calls need on top.
pub const ASYNC_STACK: usize = 1 << 20;

/// The settings that decide whether an artefact loads, without those that only one side needs.
#[must_use]
pub fn config() -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // No component is async yet, and every host call costs half of what it costs with the bookkeeping for those.
        .concurrency_support(false)
        .max_wasm_stack(MAX_WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        // The default asks an environment variable, and its answer is part of the compatibility check.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config
}

/// The settings for code that may run on another machine with this one's architecture and system.
///
/// Because a triple is named, no feature of this machine's processor finds its way into the code: it runs on the
/// architecture's baseline. The loading side names none, and checks the features that the artefact lists.
///
/// # Errors
/// [`EngineError::Target`] if no code can be made for such machines.
pub fn packaging_config() -> Result<Config, EngineError> {
    let mut config = config();
    let triple = here();
    match config.target(&triple) {
        Ok(_) => Ok(config),
        Err(error) => Err(EngineError::Target { triple, detail: format!("{error:#}") }),
    }
}

/// The triple of the machine that this program was built for.
fn here() -> String {
    let environment = if cfg!(target_env = "musl") { "musl" } else { "gnu" };
    format!("{}-unknown-linux-{environment}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fibre_has_room_for_host_calls() {
        const { assert!(ASYNC_STACK > MAX_WASM_STACK) };
        assert!(wasmtime::Engine::new(&config()).is_ok());
    }

    #[test]
    fn this_machine_has_a_triple() {
        assert!(packaging_config().is_ok());
    }
}
