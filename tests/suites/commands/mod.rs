//! The commands group over HTTP (contract: commands), whatever registers them: Python, declarations, plugins.

mod arguments;
mod declared;
mod groups;
mod kit;
mod listing;
mod plugins;
mod results;
mod running;
mod scripts;
mod starts;
mod worker;
