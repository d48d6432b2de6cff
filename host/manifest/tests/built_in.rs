//! The manifests that ship with the server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong in a helper fails the test")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use abxd_manifest::Manifest;

fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("host/server/src/core/endpoints.toml")];
    for entry in std::fs::read_dir(root.join("plugins")).unwrap() {
        let file = entry.unwrap().path().join("plugin.toml");
        if file.is_file() {
            files.push(file);
        }
    }
    files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect()
}

fn all(texts: &[(PathBuf, String)]) -> Vec<Manifest> {
    let read = |(file, text): &(PathBuf, String)| Manifest::from_toml(text, &file.display().to_string());
    texts.iter().map(read).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_one_is_well_formed_and_survives_packing() {
    for manifest in all(&texts()) {
        let json = manifest.to_json().unwrap();
        assert_eq!(Manifest::from_json(&json, &manifest.group).unwrap(), manifest);
    }
}

/// contract: policy §9.
#[test]
fn they_are_the_118_endpoints_in_nine_groups() {
    let mut groups: Vec<_> = all(&texts()).into_iter().map(|one| (one.group, one.endpoints.len())).collect();
    groups.sort();
    let totals = [
        ("agents", 70),
        ("browser", 8),
        ("commands", 2),
        ("core", 3),
        ("dev_tools", 3),
        ("file_ops", 12),
        ("process", 8),
        ("system", 6),
        ("terminal", 6),
    ];
    assert_eq!(groups, totals.map(|(group, total)| (group.to_owned(), total)));
    assert_eq!(groups.iter().map(|(_, total)| total).sum::<usize>(), 118);
}

/// Every start of the server reads them all, and a start has 50 ms.
#[test]
fn reading_them_takes_less_than_three_milliseconds() {
    let texts = texts();
    let best = (0..20).map(|_| {
        let start = Instant::now();
        let manifests = all(&texts);
        let taken = start.elapsed();
        assert_eq!(manifests.len(), 9);
        taken
    });
    let best = best.min().unwrap();
    // An unoptimised build is about ten times slower.
    let bound = Duration::from_millis(if cfg!(debug_assertions) { 60 } else { 3 });
    assert!(best < bound, "{best:?}");
}
