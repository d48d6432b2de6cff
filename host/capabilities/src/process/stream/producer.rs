//! The task that makes a stream's events.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::lines::{Lines, Meter};
use super::{Batch, LineEvent, LineStream, OutputStream};
use crate::process::child::Child;
use crate::process::exit::Exit;
use crate::process::output::{Drains, Tap};
use crate::process::run::{KILLED, PIPES, RunOptions};
use crate::process::start::{Spawned, Starter};

/// Streams a child that was started with both outputs piped. Must be called inside the runtime.
pub(in crate::process) fn produce(
    spawned: Spawned,
    options: RunOptions,
    starter: Arc<Starter>,
    drains: Arc<Drains>,
) -> LineStream {
    let (events, taken) = mpsc::channel(1);
    let Spawned { child, stdin: _, stdout, stderr } = spawned;
    let producer = Producer {
        child,
        stdout: Lines::new(Tap::new(stdout), OutputStream::Stdout),
        stderr: Lines::new(Tap::new(stderr), OutputStream::Stderr),
        meter: Meter::new(options.most_output),
        batch: Batch::new(),
        events,
        starter,
    };
    tokio::spawn(producer.run(options.timeout, drains));
    LineStream::new(taken)
}

struct Producer {
    child: Child,
    stdout: Lines,
    stderr: Lines,
    meter: Meter,
    /// What was made and not handed over.
    batch: Batch,
    events: mpsc::Sender<Batch>,
    starter: Arc<Starter>,
}

/// Why the program's lines come to their end.
enum Ended {
    Itself,
    TimeUp,
    OutputLimit,
    /// Nobody takes them.
    Left,
}

impl Producer {
    async fn run(mut self, time: Duration, drains: Arc<Drains>) {
        let ended = match self.until_ended(Instant::now() + time).await {
            Ended::Itself => self.settle().await,
            other => other,
        };
        match ended {
            Ended::Left => return self.child.end().await,
            Ended::Itself => {}
            Ended::TimeUp | Ended::OutputLimit => {
                // What can't be killed by then does not keep the end.
                let _ = timeout(KILLED, self.child.killed()).await;
            }
        }
        if let Ended::TimeUp = ended {
            // What was written in time counts.
            self.take_rest();
        }
        let (meter, batch) = (&mut self.meter, &mut self.batch);
        drains.take(self.stdout.leave(meter, batch));
        drains.take(self.stderr.leave(meter, batch));
        if let Ended::OutputLimit = ended {
            self.batch.push(LineEvent::OutputLimit);
        } else if let Ended::TimeUp = ended {
            self.batch.push(LineEvent::TimedOut);
        } else if self.meter.is_over() {
            self.batch.push(LineEvent::OutputLimit);
        }
        self.batch.push(match self.starter.is_closed() {
            true => LineEvent::ShuttingDown,
            false => LineEvent::Exit(self.child.exit().unwrap_or(Exit::KILLED)),
        });
        // An error means that nobody takes it, and there is nothing left to end.
        let _ = self.events.send(self.batch).await;
    }

    /// Until the child has ended, or has to.
    async fn until_ended(&mut self, end: Instant) -> Ended {
        let Self { child, stdout, stderr, meter, batch, events, .. } = self;
        let mut exit = pin!(child.wait());
        let mut time_up = pin!(sleep_until(end));
        loop {
            let must_wait = !batch.is_empty();
            tokio::select! {
                biased;
                // While the consumer is slow, the child's end can wait: its output has to be taken first.
                _ = &mut exit, if !must_wait => return Ended::Itself,
                () = &mut time_up, if child.exit().is_none() => return Ended::TimeUp,
                place = events.reserve(), if must_wait => match place {
                    Ok(place) => place.send(std::mem::take(batch)),
                    Err(_) => return Ended::Left,
                },
                () = events.closed(), if !must_wait => return Ended::Left,
                () = stdout.tap.ready(), if !must_wait => drop(stdout.take(meter, batch)),
                () = stderr.tap.ready(), if !must_wait => drop(stderr.take(meter, batch)),
            }
            if meter.is_over() {
                return Ended::OutputLimit;
            }
        }
    }

    /// The child has ended: all that was written before, and a moment for descendants that hold the pipes.
    async fn settle(&mut self) -> Ended {
        let Self { stdout, stderr, meter, batch, events, .. } = self;
        stdout.tap.child_ended();
        stderr.tap.child_ended();
        let mut over = pin!(sleep(PIPES));
        while !(batch.is_empty() && stdout.tap.is_closed() && stderr.tap.is_closed()) {
            let must_wait = !batch.is_empty();
            let is_due = stdout.tap.is_due() || stderr.tap.is_due();
            tokio::select! {
                () = &mut over, if !must_wait && !is_due => break,
                place = events.reserve(), if must_wait => match place {
                    Ok(place) => place.send(std::mem::take(batch)),
                    // There is nothing left to end.
                    Err(_) => return Ended::Itself,
                },
                () = stdout.tap.ready(), if !must_wait => drop(stdout.take(meter, batch)),
                () = stderr.tap.ready(), if !must_wait => drop(stderr.take(meter, batch)),
            }
            if meter.is_over() {
                return Ended::OutputLimit;
            }
        }
        Ended::Itself
    }

    /// What is in the pipes now; whoever still writes does not keep it going.
    fn take_rest(&mut self) {
        let Self { stdout, stderr, meter, batch, .. } = self;
        for lines in [stdout, stderr] {
            lines.tap.child_ended();
            while lines.tap.is_due() && lines.take(meter, batch) {}
        }
    }
}
