//! The task of one session.
//!
//! It ends when the shell has ended and the terminal is at its end, or is silent; when the session has been idle for too
//! long; or soon after the session has left the table with its shell ended, whatever somebody else still puts out.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::pty::Master;
use super::scrollback::SPARE;
use super::session::Session;

/// How long a terminal may bring nothing before it is at its end, when somebody else still holds it (contract: terminal, end
/// of output).
const SILENCE: Duration = Duration::from_millis(250);

/// Why a session's task has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The shell has ended.
    Over,
    /// Nobody has done anything for too long; the shell may run on.
    Idle,
}

/// Reads, writes and waits, until there is a reason to end.
pub(super) async fn run(session: &Session, master: &Arc<Master>, idle: Duration) -> Ending {
    tokio::select! {
        () = read_out(session, master) => Ending::Over,
        never = write_in(session, master) => match never {},
        () = idle_for(session, idle) => Ending::Idle,
    }
}

/// Reads the terminal as long as there is room, until it is at its end and the shell has ended.
async fn read_out(session: &Session, master: &Master) {
    let mut buffer = vec![0; SPARE];
    let mut given_up = pin!(gone_for(session, SILENCE));
    // When a terminal whose shell has ended has been silent for long enough.
    let mut silent_at = None;
    loop {
        if silent_at.is_none() && !session.is_alive() {
            master.let_go();
            silent_at = Some(Instant::now() + SILENCE);
        }
        let waits_since = Instant::now();
        session.output.room().await;
        // A terminal that nobody reads is not silent.
        silent_at = silent_at.map(|at| at + waits_since.elapsed());
        tokio::select! {
            biased;
            () = &mut given_up, if silent_at.is_some() => break,
            // What has come counts before an end that has.
            read = master.read(&mut buffer) => match read {
                Ok(bytes @ 1..) => {
                    session.output.push(buffer.get(..bytes).unwrap_or_default());
                    silent_at = silent_at.map(|_| Instant::now() + SILENCE);
                }
                Ok(0) | Err(_) => break,
            },
            _ = session.child.wait(), if silent_at.is_none() => {}
            () = sleep_until(silent_at.unwrap_or(waits_since)), if silent_at.is_some() => break,
        }
    }
    session.child.wait().await;
}

/// Returns so long after the session has left the table.
async fn gone_for(session: &Session, time: Duration) {
    session.gone.cancelled().await;
    sleep(time).await;
}

/// Writes what could not be typed at once.
async fn write_in(session: &Session, master: &Master) -> std::convert::Infallible {
    loop {
        session.input.queued().await;
        let written = master.write_through(|| session.input.drain(&|bytes| master.write(bytes))).await;
        if written.is_err() {
            // The terminal is at its end, which its reader finds out.
            std::future::pending::<()>().await;
        }
    }
}

/// Returns when nobody has done anything for so long.
async fn idle_for(session: &Session, limit: Duration) {
    loop {
        match session.idle_at(limit) {
            Some(at) if at <= Instant::now() => return,
            Some(at) => sleep_until(at).await,
            // The client that leaves does something by that.
            None => sleep(limit).await,
        }
    }
}
