//! Whole trees of files: searched and packed, against the reference; packed when they are larger than memory should be;
//! and watched while they are made.

mod archive;
mod watch;

use bytes::Bytes;
use serde_json::json;

use super::rounds::{Rounds, Site};
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Payload, Request, Until};
use crate::servers::{Subject, Tree};

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let tree = Tree::make(site.starter.bed)?;
    let mut figures = Vec::new();
    {
        let rounds = Rounds::begin(site)?;
        figures.extend(against_reference(&rounds, &tree)?);
    }
    figures.push(archive::growth(site)?);
    figures.extend(watch::measure(site)?);
    Ok(figures)
}

fn against_reference(rounds: &Rounds<'_>, tree: &Tree) -> Result<Vec<Figure>, FigureError> {
    let path = tree.path.as_path();
    let all = json!({"path": path, "pattern": "*.txt", "max_depth": 3, "max_results": 2 * Tree::FILES});
    let some = json!({"path": path, "pattern": "file-0[0-9].txt", "max_depth": 3, "max_results": 2 * Tree::FILES});
    let packed = json!({"paths": [path]});
    let mut figures = Vec::new();
    for (key, title, endpoint, body) in [
        (Key::Search, "search 10,000 files, all found", "/files/search", all),
        (Key::Other, "search 10,000 files, 1,000 found", "/files/search", some),
        (Key::Archive, "archive 10,000 files, tar.gz", "/files/archive", packed),
    ] {
        let request = Request::post(endpoint, Payload::Json(Bytes::from(body.to_string())));
        let has = |subject| matches!(subject, Subject::Abxd | Subject::Reference);
        let samples = rounds.run(Load::of(1, Until::Count(2)), |subject| has(subject).then(|| request.clone()))?;
        let cpu = samples.values(Sample::cpu_millis);
        figures.extend([
            Figure::new(key, title, Unit::PerSecond, samples.values(Sample::per_second)),
            Figure::new(Key::Other, format!("{title}, server CPU"), Unit::Millis, cpu),
        ]);
    }
    Ok(figures)
}
