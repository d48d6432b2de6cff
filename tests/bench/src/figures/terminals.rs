//! Terminals: how long a keystroke takes to come back, how fast output comes, what one holds, and how soon it is closed.

mod bare;
mod close;
mod echo;
mod flood;
mod hold;

use std::io;

use super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::load::Terminal;
use crate::servers::{Bed, Server};

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let mut figures = vec![echo::measure(site)?];
    figures.extend(flood::measure(site)?);
    figures.push(hold::measure(site)?);
    figures.push(close::measure(site)?);
    Ok(figures)
}

/// Makes a shell a program that sends back every byte as it comes, and tells when it is one.
const RAW: &str = "stty raw -echo; echo rea''dy; exec cat\n";
/// What it tells.
const READY: &str = "ready";

/// Open a session of a server; its id.
fn open(server: &Server) -> Result<String, FigureError> {
    let body = server.call("POST", "/pty/sessions", r#"{"shell":"/bin/sh"}"#)?;
    let answer: Option<serde_json::Value> = serde_json::from_slice(&body).ok();
    let id = answer.and_then(|answer| Some(answer.get("session_id")?.as_str()?.to_owned()));
    id.ok_or_else(|| failed(server)(io::ErrorKind::InvalidData.into()))
}

/// A client at it, when the shell has done something.
fn attach(server: &Server, session: &str) -> Result<Terminal, FigureError> {
    let attached = Terminal::attach(server.terminal, Bed::TOKEN, session).and_then(|mut terminal| {
        terminal.types("echo be''gun\n")?;
        terminal.sees(r"begun\r\n")?;
        Ok(terminal)
    });
    attached.map_err(failed(server))
}

fn failed(server: &Server) -> impl FnOnce(io::Error) -> FigureError {
    let subject = server.subject;
    move |cause| FigureError::Terminal { subject, cause }
}
