//! `/health` beside a component that computes without end, in more calls than the runtime has workers.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::super::rounds::Site;
use super::super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Beat, LoadError, Request, Steady, steady};
use crate::servers::{Bed, Server, Subject};

/// Calls at once.
const CALLS: usize = 64;

/// How long a call is waited for that begins anew all the time.
const PATIENCE: Duration = Duration::from_millis(50);

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let server = start(site)?;
    let kinds = [
        (Key::HealthBesideLoops, format!("health beside {CALLS} calls without end"), Duration::MAX),
        (Key::HealthBesideNewLoops, format!("health beside {CALLS} calls without end, begun anew"), PATIENCE),
    ];
    let mut figures = Vec::new();
    for (key, title, patience) in kinds {
        let mut samples = Vec::new();
        for _ in 0..site.effort.rounds {
            let tally = site.runtime.block_on(beside_loops(site, server.address, patience));
            let tally = tally.map_err(|cause| FigureError::Load { subject: server.subject, cause })?.tally;
            samples.push(Sample { tally, cpu: Duration::ZERO });
        }
        let values = |value: fn(&Sample) -> f64| [(Subject::Abxd, samples.iter().map(value).collect())];
        figures.extend([
            Figure::new(
                Key::Other,
                format!("{title}, p50"),
                Unit::Millis,
                values(|sample| sample.median_micros() / 1e3),
            ),
            Figure::new(key, format!("{title}, p99"), Unit::Millis, values(|sample| sample.slow_micros() / 1e3)),
            Figure::new(
                Key::Other,
                format!("{title}, slowest"),
                Unit::Millis,
                values(|sample| sample.tally.latency_above(100).as_secs_f64() * 1e3),
            ),
        ]);
    }
    Ok(figures)
}

/// A server with a component that never comes back, and is given all the time there is.
fn start(site: &Site<'_>) -> Result<Server, FigureError> {
    let bed = site.starter.bed;
    let budget = json!({
        "slots": 4 * CALLS, "cpu_seconds": 3600, "wall_seconds": 3600, "group_memory_bytes": 1_u64 << 30,
    });
    let document = bed.document_with([(vec!["plugins", "hostile", "budget"], budget)]);
    let policy = bed.keep("loops.json", document.to_string())?;
    let plugin = site.starter.places.test_plugin("hostile");
    let arguments = ["--plugin".as_ref(), plugin.as_os_str(), "--grant".as_ref(), OsStr::new("hostile:files")];
    Ok(site.starter.start_abxd(&policy, &arguments)?)
}

/// Ask for `/health` at fixed times; meanwhile the calls begin, so that their first moments count, too.
async fn beside_loops(site: &Site<'_>, address: SocketAddr, patience: Duration) -> Result<Steady, LoadError> {
    let mut loops = JoinSet::new();
    for _ in 0..CALLS {
        loops.spawn(call(address, patience));
    }
    let beat = Beat { connections: 2, per_second: 200.0, time: site.effort.time };
    let health = steady(address, Bed::TOKEN, &Request::get("/health"), beat, |_| true).await;
    loops.shutdown().await;
    health
}

/// Begin a call, give it up after some time, and begin the next one. A connection that breaks is made anew.
async fn call(address: SocketAddr, patience: Duration) {
    let head = Request::get("/hostile/loop").head(address, Bed::TOKEN);
    loop {
        let connected = TcpStream::connect(address).await;
        if let Ok(mut stream) = connected
            && stream.write_all(&head).await.is_ok()
        {
            tokio::time::sleep(patience).await;
        }
    }
}
