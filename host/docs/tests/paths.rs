//! What the documentation points to is there.
#![allow(clippy::unwrap_used, reason = "what goes wrong in a helper fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the checkout whose files the pages name.
const FOLDERS: [&str; 5] = ["docs/", "host/", "plugins/", "tests/", "wit/"];

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages: where they are, and their text without examples.
fn pages() -> Vec<(PathBuf, String)> {
    let folders = ["docs", "docs/http"].map(|folder| fs::read_dir(checkout().join(folder)).unwrap());
    let docs = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let prose = text.split("```").step_by(2).collect();
        (path, prose)
    };
    pages.chain([checkout().join("README.md")]).map(read).collect()
}

#[test]
fn links_lead_somewhere() {
    for (page, text) in pages() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: {target}", page.display());
            if !anchor.is_empty() {
                assert!(anchors(&file).contains(&anchor.to_owned()), "{}: {target}", page.display());
            }
        }
    }
}

/// The anchors of a page's headings.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let plain = |heading: &str| {
        heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>()
    };
    headings.map(|heading| plain(heading).replace(' ', "-")).collect()
}

#[test]
fn files_of_the_checkout_that_are_named_are_there() {
    for (page, text) in pages() {
        for name in text.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| name.starts_with(folder)) && !name.contains(char::is_uppercase);
            if is_path {
                assert!(checkout().join(name).exists(), "{}: {name}", page.display());
            }
        }
    }
}
