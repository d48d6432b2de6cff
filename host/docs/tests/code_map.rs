//! The code map of `docs/architecture.md` is that of the manifests.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong in a helper fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a crate that knows nothing of a thing has nothing to do with: crates, and words in its sources and manifest.
const THINGS: [(&str, &[&str], &[&str]); 10] = [
    ("HTTP", &["abxd-body", "abxd-http", "axum", "http", "http-body", "hyper", "hyper-util", "tower-service"], &[]),
    ("WebAssembly", &["abxd-engine", "abxd-plugins", "wasmparser", "wasmtime", "wasmtime-wasi", "wit-bindgen"], &[]),
    ("policy", &["abxd-policy"], &[]),
    ("endpoints", &["abxd-manifest", "abxd-policy"], &[]),
    ("guards", &["abxd-guards"], &[]),
    ("routing", &["abxd", "abxd-http", "axum", "hyper"], &[]),
    ("the file system", &["libc", "nix", "rustix", "tempfile"], &["std::fs"]),
    ("the async runtime", &["tokio", "tokio-util"], &["async fn"]),
    ("the compiler", &["abxd-compiler"], &["cranelift"]),
    ("the host", &["abxd", "abxd-guards", "abxd-manifest", "abxd-plugins", "abxd-policy"], &[]),
];

/// One line of the code map.
struct Row {
    place: String,
    depends_on: BTreeSet<String>,
    knows_nothing_of: Vec<String>,
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows() -> Vec<Row> {
    let page = fs::read_to_string(checkout().join("docs/architecture.md")).unwrap();
    let (_, map) = page.split_once("\n## Code map\n").unwrap();
    let (map, _) = map.split_once("\n## ").unwrap();
    let lines = map.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [place, _, depends_on, knows_nothing_of] = cells[..] else { panic!("not four cells: {line}") };
        Row {
            place: place.trim_matches('`').to_owned(),
            depends_on: depends_on.split_whitespace().map(|name| name.trim_matches('`').to_owned()).collect(),
            knows_nothing_of: knows_nothing_of.split(", ").map(str::to_owned).collect(),
        }
    };
    lines.map(row).collect()
}

/// What a crate depends on, tests aside.
#[derive(Default)]
struct Manifest {
    /// Each with the features that are asked of it.
    dependencies: BTreeMap<String, Vec<String>>,
    /// Those that are there only with a feature.
    optional: BTreeSet<String>,
    /// What each feature brings.
    features: BTreeMap<String, Vec<String>>,
}

/// The manifest of the crate in a folder, with its name.
fn manifest(folder: &Path) -> (String, Manifest) {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let name = table.get("package").unwrap().get("name").unwrap().as_str().unwrap().to_owned();
    let texts = |value: &toml::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
    };
    let section = |name: &str| table.get(name).and_then(toml::Value::as_table).into_iter().flatten();
    let mut manifest = Manifest::default();
    for (name, dependency) in section("dependencies") {
        let features = dependency.get("features").map(texts).unwrap_or_default();
        manifest.dependencies.insert(name.clone(), features);
        if dependency.get("optional").and_then(toml::Value::as_bool) == Some(true) {
            manifest.optional.insert(name.clone());
        }
    }
    manifest.features = section("features").map(|(name, brings)| (name.clone(), texts(brings))).collect();
    (name, manifest)
}

impl Manifest {
    /// What is there with these features: the names of dependencies, each with the features that are asked of it.
    fn with<'a>(&'a self, features: &'a [String]) -> impl Iterator<Item = (&'a String, &'a Vec<String>)> {
        let brought = features.iter().filter_map(|feature| self.features.get(feature)).flatten();
        let brought: BTreeSet<_> = brought.filter_map(|one| one.strip_prefix("dep:")).collect();
        let is_there = move |name: &str| !self.optional.contains(name) || brought.contains(name);
        self.dependencies.iter().filter(move |(name, _)| is_there(name))
    }
}

fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            all.push_str(text.split("#[cfg(test)]").next().unwrap());
        }
    }
}

#[test]
fn every_crate_is_on_the_map() {
    let mapped: BTreeSet<_> = rows().into_iter().map(|row| row.place).collect();
    for folder in ["host", "plugins"] {
        for entry in fs::read_dir(checkout().join(folder)).unwrap() {
            let entry = entry.unwrap();
            let place = format!("{folder}/{}", entry.file_name().display());
            let is_crate = entry.path().join("Cargo.toml").is_file();
            assert_eq!(mapped.contains(&place), is_crate, "{place}");
        }
    }
}

#[test]
fn crates_depend_on_what_the_map_says() {
    for row in rows() {
        let (_, manifest) = manifest(&checkout().join(&row.place));
        let own: BTreeSet<_> = manifest.dependencies.into_keys().filter(|name| name.starts_with("abx")).collect();
        assert_eq!(own, row.depends_on, "{}", row.place);
    }
}

#[test]
fn crates_know_nothing_of_what_the_map_says_they_do_not() {
    let all: BTreeMap<_, _> = rows().iter().map(|row| manifest(&checkout().join(&row.place))).collect();
    for row in rows() {
        let folder = checkout().join(&row.place);
        let (name, _) = manifest(&folder);
        let reached = closure(&name, &all);
        let mut words = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        sources(&folder.join("src"), &mut words);
        for thing in &row.knows_nothing_of {
            let found = THINGS.iter().find(|(known, ..)| known == thing);
            let (_, crates, texts) = found.unwrap_or_else(|| panic!("{}: nothing stands for {thing:?}", row.place));
            for one in *crates {
                assert!(!reached.contains(*one), "{} knows nothing of {thing}, but reaches {one}", row.place);
            }
            for text in *texts {
                assert!(!words.contains(text), "{} knows nothing of {thing}, but has {text:?}", row.place);
            }
        }
    }
}

/// All dependencies of a crate that can be told from the workspace's manifests.
fn closure(name: &str, all: &BTreeMap<String, Manifest>) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![(name.to_owned(), Vec::new())];
    while let Some((next, features)) = open.pop() {
        for (dependency, features) in all.get(&next).into_iter().flat_map(|manifest| manifest.with(&features)) {
            reached.insert(dependency.clone());
            if seen.insert((dependency.clone(), features.clone())) {
                open.push((dependency.clone(), features.clone()));
            }
        }
    }
    reached
}
