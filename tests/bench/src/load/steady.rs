//! Requests at fixed times, whatever became of those before: what callers see who do not wait for each other.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::{Connection, LoadError, Request, Tally};

/// How often and how long requests are sent.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// Connections at once, which take turns.
    pub connections: u32,
    /// Requests per second, of all connections together.
    pub per_second: f64,
    /// How long.
    pub time: Duration,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Steady {
    /// The answers. Each latency is from the moment that the request was due, so that a client that was kept waiting
    /// counts what it could not send meanwhile.
    pub tally: Tally,
    /// Requests without the right answer.
    pub lost: usize,
    /// What became of the first of those.
    pub loss: Option<String>,
}

/// Send `request` at fixed times. An answer is right that comes whole, has the expected status, and a body that `right`
/// agrees with. None is asked for twice.
///
/// # Errors
/// A task of the generator broke down.
pub async fn steady(
    address: SocketAddr,
    token: &str,
    request: &Request,
    beat: Beat,
    right: fn(&[u8]) -> bool,
) -> Result<Steady, LoadError> {
    let begin = Instant::now();
    let apart = Duration::from_secs_f64(1.0 / beat.per_second);
    let mut running = JoinSet::new();
    for number in 0..beat.connections {
        let connection = Connection::new(address, token, request.clone(), None).keeping();
        let times = Times { next: begin + apart * number, apart: apart * beat.connections, end: begin + beat.time };
        running.spawn(send(connection, times, right));
    }
    let mut sum = Steady::default();
    while let Some(ended) = running.join_next().await {
        let ended = ended?;
        sum.tally.add(ended.tally);
        sum.lost += ended.lost;
        sum.loss = sum.loss.or(ended.loss);
    }
    Ok(sum)
}

/// When one connection sends.
struct Times {
    next: Instant,
    apart: Duration,
    end: Instant,
}

async fn send(mut connection: Connection, mut times: Times, right: fn(&[u8]) -> bool) -> Steady {
    let begin = Instant::now();
    let mut sent = Steady::default();
    while times.next < times.end {
        sleep_until(times.next).await;
        let answered = connection.attempt().await;
        sent.tally.latencies.push(times.next.elapsed());
        let loss = match answered {
            Ok(answer) => {
                sent.tally.bytes += answer.bytes;
                let body = connection.body();
                (!right(body)).then(|| format!("a wrong answer: {}", String::from_utf8_lossy(body)))
            }
            Err(cause) => Some(cause.to_string()),
        };
        sent.lost += usize::from(loss.is_some());
        sent.loss = sent.loss.or(loss);
        times.next += times.apart;
    }
    sent.tally.elapsed = begin.elapsed();
    sent
}
