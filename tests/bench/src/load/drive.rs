//! Several connections at once, for some time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::{Connection, LoadError, Pace, Request, Tally};

/// How long a load goes on. A request that was begun is always brought to its end, and there is at least one.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// So long.
    Time(Duration),
    /// So many requests on each connection.
    Count(usize),
}

/// A load.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Connections at once, each with one request at a time.
    pub connections: usize,
    /// Its end.
    pub until: Until,
    /// How answers are read; as fast as they come where there is no pace.
    pub pace: Option<Pace>,
}

impl Load {
    /// `connections` at once that read as fast as they can.
    #[must_use]
    pub fn of(connections: usize, until: Until) -> Self {
        Self { connections, until, pace: None }
    }
}

/// Put a load on the server at `address`.
///
/// # Errors
/// The first that any connection met: the others are given up then.
pub async fn drive(address: SocketAddr, token: &str, request: &Request, load: Load) -> Result<Tally, LoadError> {
    let mut running = JoinSet::new();
    for _ in 0..load.connections {
        let connection = Connection::new(address, token, request.clone(), load.pace);
        running.spawn(repeat(connection, request.carries(), load.until));
    }
    let mut sum = Tally::default();
    while let Some(ended) = running.join_next().await {
        sum.add(ended??);
    }
    Ok(sum)
}

async fn repeat(mut connection: Connection, carries: u64, until: Until) -> Result<Tally, LoadError> {
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut sent = begin;
    loop {
        let answer = connection.exchange().await?;
        let now = Instant::now();
        tally.latencies.push(now - sent);
        tally.bytes += answer.bytes + carries;
        sent = now;
        tally.elapsed = now - begin;
        let over = match until {
            Until::Time(time) => tally.elapsed >= time,
            Until::Count(count) => tally.latencies.len() >= count,
        };
        if over {
            return Ok(tally);
        }
    }
}
