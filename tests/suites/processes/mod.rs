//! The process group over HTTP, where the conformance cases leave off (contract: process).

mod children;
mod commands;
mod environments;
mod first_process;
mod inputs;
mod limits;
mod memory;
mod outputs;
mod programs;
mod signals;
