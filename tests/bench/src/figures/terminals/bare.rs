//! A pseudo-terminal without any server: what a keystroke costs at least.

use std::io::{self, Read, Write};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::super::rounds::Effort;
use super::echo::median;
use super::{FigureError, RAW, READY};

/// Micros of a keystroke, of each round.
pub(super) fn rounds(effort: Effort) -> Result<Vec<f64>, FigureError> {
    run(effort).map_err(|cause| FigureError::Spawn { program: "/bin/sh", cause })
}

fn run(effort: Effort) -> io::Result<Vec<f64>> {
    let pair = native_pty_system().openpty(PtySize::default()).map_err(io::Error::other)?;
    let mut child = pair.slave.spawn_command(CommandBuilder::new("/bin/sh")).map_err(io::Error::other)?;
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().map_err(io::Error::other)?;
    let mut writer = pair.master.take_writer().map_err(io::Error::other)?;
    writer.write_all(RAW.as_bytes())?;
    let ready: Vec<u8> = [READY.as_bytes(), b"\n"].concat();
    let mut seen: Vec<u8> = Vec::new();
    let mut bytes = [0; 4096];
    while !seen.windows(ready.len()).any(|found| found == ready) {
        let read = reader.read(&mut bytes)?;
        seen.extend(bytes.get(..read).unwrap_or_default());
    }
    let rounds = (0..effort.rounds).map(|_| {
        median(effort.time, || {
            writer.write_all(b"x")?;
            reader.read(&mut bytes).map(|_| ())
        })
    });
    let rounds = rounds.collect();
    child.kill()?;
    child.wait()?;
    rounds
}
