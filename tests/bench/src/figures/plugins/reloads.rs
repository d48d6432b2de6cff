//! Swapping deployments under load: on SIGHUP and by changed files, with an answer for every request.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::super::rounds::{Effort, Site};
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Beat, Request, steady};
use crate::servers::{Bed, Server, ServerError, Subject};

/// Time between two changes. A change without a signal is seen within a second.
const APART: Duration = Duration::from_millis(700);

/// What is sent meanwhile.
const PER_SECOND: f64 = 500.0;

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let sets = Sets::of(site.starter.bed, |name| site.starter.places.test_plugin(name))?;
    let server = site.starter.start_abxd(&sets.policy, &[OsStr::new("--dev")])?;
    let time = if site.effort.rounds < Effort::FULL.rounds { Duration::from_secs(5) } else { Duration::from_secs(20) };
    let beat = Beat { connections: 16, per_second: PER_SECOND, time };
    let request = Request::get("/echo/rule");
    let driven = site.runtime.block_on(async {
        tokio::select! {
            steady = steady(server.address, Bed::TOKEN, &request, beat, is_of_one_set) => steady.map(Ok),
            failed = swap(&server, &sets) => Ok(Err(failed)),
        }
    });
    let steady = driven.map_err(|cause| FigureError::Load { subject: server.subject, cause })??;
    let log = site.starter.bed.log("abxd");
    let log = std::fs::read_to_string(&log).map_err(ServerError::files(log))?;
    let reloads = log.matches("reloaded: ").count();
    let own = |value: f64| [(Subject::Abxd, vec![value])];
    let loss = steady.loss.map(|loss| format!("; the first: {loss}")).unwrap_or_default();
    let title = format!("{PER_SECOND} requests a second for {} s of reloads", time.as_secs());
    Ok(vec![
        Figure::new(Key::Other, format!("{title}: reloads"), Unit::Count, own(reloads as f64)),
        Figure::new(Key::LostInReloads, format!("{title}: lost or wrong{loss}"), Unit::Count, own(steady.lost as f64)),
        Figure::new(
            Key::Other,
            format!("{title}: p99"),
            Unit::Millis,
            own(steady.tally.latency_above(99).as_secs_f64() * 1e3),
        ),
    ])
}

/// Two policies, each with its version of a plugin: whoever is served by both at once shows it.
struct Sets {
    /// What the server reads.
    policy: PathBuf,
    fresh: PathBuf,
    texts: [String; 2],
}

impl Sets {
    fn of(bed: &Bed, plugin: impl Fn(&str) -> PathBuf) -> Result<Self, ServerError> {
        let text = |file: &Path, limit: u64| {
            let document = bed.document_with([
                (vec!["plugins", "echo", "file"], json!(file)),
                (vec!["endpoints", "echo_rule", "limits", "max_results"], json!(limit)),
            ]);
            document.to_string()
        };
        let texts = [text(&plugin("echo"), 1), text(&plugin("echo_two"), 2)];
        let policy = bed.keep("reloads.json", &texts[0])?;
        Ok(Self { policy, fresh: bed.home().join("reloads.fresh"), texts })
    }

    /// Put one of them in place, whole.
    fn put(&self, text: &str) -> std::io::Result<()> {
        std::fs::write(&self.fresh, text)?;
        std::fs::rename(&self.fresh, &self.policy)
    }
}

/// Change what is served, over and over; every other time the server is told. Ends when that fails.
async fn swap(server: &Server, sets: &Sets) -> ServerError {
    for (round, text) in sets.texts.iter().cycle().skip(1).enumerate() {
        if let Err(cause) = sets.put(text) {
            return ServerError::files(&sets.policy)(cause);
        }
        let pid = i32::try_from(server.pid()).ok().and_then(Pid::from_raw);
        if let (Some(pid), true) = (pid, round.is_multiple_of(2)) {
            // Where it fails the process has ended, and its answers with it.
            let _ = kill_process(pid, Signal::HUP);
        }
        tokio::time::sleep(APART).await;
    }
    std::future::pending().await
}

/// Whether policy and plugin of an answer belong together.
fn is_of_one_set(body: &[u8]) -> bool {
    let Ok(answer) = serde_json::from_slice::<Value>(body) else { return false };
    let set = (answer.get("version").and_then(Value::as_str), answer.get("limit").and_then(Value::as_u64));
    [(Some("one"), Some(1)), (Some("two"), Some(2))].contains(&set)
}
