//! The linker of one grant.

use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};

use super::{Grant, Interface};
use crate::bindings::abx::host;
use crate::instance::State;

pub(super) fn granted(engine: &Engine, grant: &Grant) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    // Types only.
    host::failures::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    host::children::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    if grant.has(Interface::Browser) {
        host::browser::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Bulk) {
        host::bulk::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Clock) {
        host::clock::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Code) {
        host::code::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Commands) {
        host::commands::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Files) {
        host::files::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Git) {
        host::git::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Log) {
        host::log::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Process) {
        host::process::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Rule) {
        host::rule::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::System) {
        host::system::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    if grant.has(Interface::Terminal) {
        host::terminal::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    }
    Ok(linker)
}
