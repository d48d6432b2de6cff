//! Loading components as the server does, inside this process: the start of a server is too long to see it in.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use abxd::deployment::{Added, Source};
use abxd::table::manifests;
use abxd_plugins::instance::Settings;
use abxd_plugins::{Cache, Compiler, Grant, Plugin, Runtime};

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::servers::Subject;

/// Times that each is loaded in a round.
const TIMES: usize = 5;

/// Why a component does not load, in words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let runtime = abxd_engine::open(1).map_err(|cause| FigureError::Components(cause.into()))?;
    let runtime = Runtime::new(runtime.engine, 1);
    let rounds = site.effort.rounds * TIMES;
    let cached = cached(site, &runtime, rounds).map_err(FigureError::Components)?;
    let (count, all) = built_in(&site.starter.places.builtin, &runtime, rounds).map_err(FigureError::Components)?;
    let own = |values| [(Subject::Abxd, values)];
    let title = "load of a third party's component from the cache";
    let all_title = format!("load of the {count} built-in components that there are");
    Ok(vec![
        Figure::new(Key::LoadCached, title, Unit::Millis, own(cached)),
        Figure::new(Key::Other, all_title, Unit::Millis, own(all)),
    ])
}

/// Read, digest and check the file, take its code from the cache, link it.
fn cached(site: &Site<'_>, runtime: &Runtime, rounds: usize) -> Result<Vec<f64>, Failure> {
    let places = site.starter.places;
    let cache = site.starter.bed.home().join("cache");
    std::fs::create_dir_all(&cache)?;
    let compiler = Compiler { program: places.compiler.clone(), cache: Cache::new(Some(cache), true) };
    let source = Source { places: vec![places.test_plugin("echo")], grants: Vec::new() };
    let built_in = manifests()?;
    let load = || -> Result<(), Failure> {
        for added in Added::all(&source, &[], &built_in, &runtime.engine, &compiler, &[])? {
            let grant = Grant::of(added.manifest.imports.iter().map(String::as_str))?;
            let settings = Settings::from(abxd_manifest::Budget::USUAL);
            let group = Arc::from(added.manifest.group.as_str());
            Plugin::link(runtime, &added.component, added.file(), group, &grant, settings)?;
        }
        Ok(())
    };
    // This once it is compiled, and kept.
    load()?;
    timed(rounds, load)
}

/// Map and link all of them. Returns how many there are, too.
fn built_in(folder: &Path, runtime: &Runtime, rounds: usize) -> Result<(usize, Vec<f64>), Failure> {
    let there = |group: &str| Some(folder.join(format!("{group}.cwasm"))).filter(|file| file.is_file());
    let manifests = manifests()?;
    let all: Vec<_> = manifests.iter().filter_map(|manifest| Some((manifest, there(&manifest.group)?))).collect();
    let load = || -> Result<(), Failure> {
        for (manifest, file) in &all {
            let component = abxd_plugins::map(&runtime.engine, file)?;
            let grant = Grant::of(manifest.imports.iter().map(String::as_str))?;
            let settings = Settings::from(abxd_manifest::Budget::USUAL);
            Plugin::link(runtime, &component, file, manifest.group.as_str().into(), &grant, settings)?;
        }
        Ok(())
    };
    load()?;
    Ok((all.len(), timed(rounds, load)?))
}

/// The time of each round, in milliseconds.
fn timed(rounds: usize, load: impl Fn() -> Result<(), Failure>) -> Result<Vec<f64>, Failure> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let begin = Instant::now();
        load()?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}
