//! Rounds: the same load on each server in turn, over and over.
//!
//! [`Rounds`] owns one server of each kind; they are idle while it is not their turn, and end with it.

use std::time::Duration;

use super::FigureError;
use super::sample::Sample;
use crate::load::{Load, Request, Tally, Until, drive};
use crate::servers::{Bed, Server, Starter, Subject, cpu};

/// How much is done for each figure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds of each workload.
    pub rounds: usize,
    /// Time of one load.
    pub time: Duration,
    /// Starts of each server.
    pub starts: usize,
}

impl Effort {
    /// For figures to be published.
    pub const FULL: Self = Self { rounds: 7, time: Duration::from_secs(2), starts: 15 };
    /// For a first look.
    pub const QUICK: Self = Self { rounds: 3, time: Duration::from_millis(500), starts: 5 };
}

/// Where and how much is measured.
#[derive(Debug)]
pub struct Site<'a> {
    /// Starts the servers.
    pub starter: Starter<'a>,
    /// Runs the load, on the calling thread.
    pub runtime: &'a tokio::runtime::Runtime,
    /// How much of it.
    pub effort: Effort,
}

impl Site<'_> {
    /// Put a load on a server.
    pub(super) fn load(&self, server: &Server, request: &Request, load: Load) -> Result<Tally, FigureError> {
        let driven = self.runtime.block_on(drive(server.address, Bed::TOKEN, request, load));
        driven.map_err(|cause| FigureError::Load { subject: server.subject, cause })
    }

    /// The servers that have this workload and can be started.
    pub(super) fn there(&self, wanted: &[Subject]) -> Vec<Subject> {
        let there = |subject: &Subject| *subject != Subject::Reference || self.starter.reference.is_some();
        wanted.iter().copied().filter(there).collect()
    }
}

/// One server of each kind, ready for loads.
pub(super) struct Rounds<'a> {
    pub(super) site: &'a Site<'a>,
    servers: Vec<Server>,
}

/// All rounds of one workload, by server.
pub(super) struct Samples(Vec<(Subject, Vec<Sample>)>);

impl<'a> Rounds<'a> {
    pub(super) fn begin(site: &'a Site<'a>) -> Result<Self, FigureError> {
        Ok(Self { site, servers: site.starter.start_all()? })
    }

    /// What the servers work on.
    pub(super) fn bed(&self) -> &Bed {
        self.site.starter.bed
    }

    /// The usual end of a load of small requests.
    pub(super) fn time(&self) -> Until {
        Until::Time(self.site.effort.time)
    }

    /// Run a workload. `request` gives each server's own form of it, or nothing where it has none.
    pub(super) fn run(&self, load: Load, request: impl Fn(Subject) -> Option<Request>) -> Result<Samples, FigureError> {
        let able = self.servers.iter().filter_map(|server| Some((server, request(server.subject)?)));
        let able: Vec<_> = able.collect();
        let mut samples = Samples(able.iter().map(|(server, _)| (server.subject, Vec::new())).collect());
        for (server, request) in &able {
            // Caches, pools and threads are as they will be.
            let first = match load.until {
                Until::Time(time) => Until::Time(time / 4),
                Until::Count(_) => Until::Count(1),
            };
            self.site.load(server, request, Load { until: first, ..load })?;
        }
        for _ in 0..self.site.effort.rounds {
            for ((server, request), (_, samples)) in able.iter().zip(&mut samples.0) {
                let before = cpu(server.pid())?;
                let tally = self.site.load(server, request, load)?;
                let cpu = cpu(server.pid())?.saturating_sub(before);
                samples.push(Sample { tally, cpu });
            }
        }
        Ok(samples)
    }
}

impl Samples {
    /// One value of each round.
    pub(super) fn values(&self, value: impl Fn(&Sample) -> f64) -> Vec<(Subject, Vec<f64>)> {
        self.0.iter().map(|(subject, samples)| (*subject, samples.iter().map(&value).collect())).collect()
    }

    /// What abxd has more than `other`, round by round.
    pub(super) fn excess(&self, other: Subject, value: impl Fn(&Sample) -> f64) -> Vec<f64> {
        let of = |wanted| {
            let samples = self.0.iter().find_map(|(subject, samples)| (*subject == wanted).then_some(samples));
            samples.map(Vec::as_slice).unwrap_or_default()
        };
        of(Subject::Abxd).iter().zip(of(other)).map(|(own, other)| value(own) - value(other)).collect()
    }
}
