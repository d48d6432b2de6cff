//! Components of third parties: what the broken and hostile ones get, and what everybody else gets meanwhile; which are
//! refused, and with what words; how they are compiled, kept and replaced.
//!
//! The components are crates of their own in `tests/plugins`.

mod answers;
mod breakdowns;
mod caches;
mod checking;
mod claims;
pub(crate) mod component;
mod crash_loops;
mod files_changed;
mod handles;
mod listing;
mod memory;
mod neighbours;
mod noise;
mod overlaps;
mod reach;
mod refusals;
mod reloads;
mod reloads_under_load;
mod slots;
