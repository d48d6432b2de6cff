//! A program without any server: what starting it and waiting for it costs at least.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::rounds::Effort;
use super::{FigureError, Sample};
use crate::load::Tally;

/// What is started.
const PROGRAM: &str = "true";

/// One loop on each of so many threads, in each round.
pub(super) fn rounds(effort: Effort, threads: usize) -> Result<Vec<Sample>, FigureError> {
    (0..effort.rounds).map(|_| round(effort.time, threads)).collect()
}

fn round(time: Duration, threads: usize) -> Result<Sample, FigureError> {
    let tallies = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(|| repeat(time))).collect();
        let joined = running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Ok(Tally::default())));
        joined.collect::<std::io::Result<Vec<_>>>()
    });
    let tallies = tallies.map_err(|cause| FigureError::Spawn { program: PROGRAM, cause })?;
    let mut sum = Tally::default();
    for tally in tallies {
        sum.elapsed = sum.elapsed.max(tally.elapsed);
        sum.latencies.extend(tally.latencies);
    }
    Ok(Sample { tally: sum, cpu: Duration::ZERO })
}

fn repeat(time: Duration) -> std::io::Result<Tally> {
    let begin = Instant::now();
    let mut tally = Tally::default();
    while tally.elapsed < time {
        let before = Instant::now();
        let mut command = Command::new(PROGRAM);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.output()?;
        tally.latencies.push(before.elapsed());
        tally.elapsed = begin.elapsed();
    }
    Ok(tally)
}
