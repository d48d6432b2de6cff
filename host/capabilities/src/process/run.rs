//! Running a program to its end, its output captured (`contract: process §2`).

use std::io;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::child::Child;
use super::exit::Exit;
use super::failure::RunFailure;
use super::output::{Capture, Captured, Drains, Tap};
use super::start::{Spawned, errno};

/// How long the answer waits for pipes after the child has ended (D31).
pub(super) const PIPES: Duration = Duration::from_millis(250);

/// How long it waits for a tree that is killed because its time is up. What can't be killed by then doesn't delay it.
pub(super) const KILLED: Duration = Duration::from_millis(500);

/// Bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// From the start to the child's end; then its tree is killed.
    pub timeout: Duration,
    /// Largest output that is kept. For [`super::Supervisor::run`]: bytes of text, for each stream, at most 64 MiB where
    /// there is no limit. For [`super::Supervisor::stream`]: characters and ends of lines, of both streams together;
    /// whoever writes more is killed.
    pub most_output: Option<u64>,
}

/// A program that was run.
#[derive(Debug)]
pub struct Finished {
    /// How the child ended.
    pub exit: Exit,
    /// Whether its time was up, and its tree has been killed.
    pub timed_out: bool,
    /// What it wrote to descriptor 1.
    pub stdout: Captured,
    /// What it wrote to descriptor 2.
    pub stderr: Captured,
    /// From the start to the end.
    pub elapsed: Duration,
}

/// One stream of the child's.
struct Stream {
    tap: Tap,
    capture: Capture,
}

impl Stream {
    async fn take(&mut self) -> io::Result<()> {
        self.tap.take(|text| self.capture.push(text));
        self.capture.spill().await
    }

    fn leave(&mut self, drains: &Drains) {
        drains.take(self.tap.leave(|text| self.capture.push(text)));
    }
}

enum Ended {
    Itself(Exit),
    TimeUp,
}

/// Waits for the end of a child that was started with both outputs piped.
pub(super) async fn finish(
    spawned: Spawned,
    options: RunOptions,
    left: impl Future<Output = ()>,
    drains: &Drains,
    scratch: &Arc<Path>,
) -> Result<Finished, RunFailure> {
    let begun = Instant::now();
    let Spawned { child, stdin: _, stdout, stderr } = spawned;
    let stream = |pipe| Stream { tap: Tap::new(pipe), capture: Capture::new(options.most_output, Arc::clone(scratch)) };
    let (mut stdout, mut stderr) = (stream(stdout), stream(stderr));
    let ended = tokio::select! {
        biased;
        ended = until_ended(&child, begun + options.timeout, &mut stdout, &mut stderr) => ended,
        () = left => {
            child.end().await;
            return Err(RunFailure::Left);
        }
    };
    let ended = ended.map_err(|cause| RunFailure::Output(errno(&cause)))?;
    let (exit, timed_out) = match ended {
        Ended::Itself(exit) => {
            settle(&mut stdout, &mut stderr).await.map_err(|cause| RunFailure::Output(errno(&cause)))?;
            (exit, false)
        }
        Ended::TimeUp => {
            // What can't be killed by then does not keep the answer.
            let _ = tokio::time::timeout(KILLED, child.killed()).await;
            (child.exit().unwrap_or(Exit::KILLED), true)
        }
    };
    stdout.leave(drains);
    stderr.leave(drains);
    let kept = |cause: io::Error| RunFailure::Output(errno(&cause));
    Ok(Finished {
        exit,
        timed_out,
        stdout: stdout.capture.finish().await.map_err(kept)?,
        stderr: stderr.capture.finish().await.map_err(kept)?,
        elapsed: begun.elapsed(),
    })
}

async fn until_ended(child: &Child, end: Instant, stdout: &mut Stream, stderr: &mut Stream) -> io::Result<Ended> {
    let mut exit = pin!(child.wait());
    let mut time_up = pin!(sleep_until(end));
    loop {
        tokio::select! {
            biased;
            exit = &mut exit => return Ok(Ended::Itself(exit)),
            () = &mut time_up => return Ok(Ended::TimeUp),
            () = stdout.tap.ready() => stdout.take().await?,
            () = stderr.tap.ready() => stderr.take().await?,
        }
    }
}

/// The child has ended: reads all that was written before, and waits a moment for descendants that hold the pipes.
async fn settle(stdout: &mut Stream, stderr: &mut Stream) -> io::Result<()> {
    stdout.tap.child_ended();
    stderr.tap.child_ended();
    let mut over = pin!(tokio::time::sleep(PIPES));
    while !(stdout.tap.is_closed() && stderr.tap.is_closed()) {
        let is_due = stdout.tap.is_due() || stderr.tap.is_due();
        tokio::select! {
            () = &mut over, if !is_due => break,
            () = stdout.tap.ready() => stdout.take().await?,
            () = stderr.tap.ready() => stderr.take().await?,
        }
    }
    Ok(())
}
