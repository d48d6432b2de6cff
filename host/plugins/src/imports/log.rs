//! `abx:host/log`.

use crate::bindings::abx::host::log;
use crate::instance::State;

/// Longest text of one line, in characters; the rest is cut.
const LONGEST: usize = 1024;

impl log::Host for State {
    fn write(&mut self, level: log::Level, text: String) -> wasmtime::Result<()> {
        let group = &*self.group;
        if !self.lines.lets_through(group) {
            return Ok(());
        }
        // Escaped, so that a plugin can't write what looks like a line of somebody else.
        let text = text.chars().take(LONGEST).flat_map(char::escape_debug).collect::<String>();
        match level {
            log::Level::Error => tracing::error!(group, "{text}"),
            log::Level::Warn => tracing::warn!(group, "{text}"),
            log::Level::Info => tracing::info!(group, "{text}"),
            log::Level::Debug => tracing::debug!(group, "{text}"),
        }
        Ok(())
    }
}
