//! The conformance suite: cases for any server that speaks the contract, and their runner.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Failure;
use crate::guest::Guest;
use crate::needs;
use crate::places::{Places, entries};
use crate::step::run;

/// What running Python leaves in its folders.
const LEFTOVERS: &str = "__pycache__";

/// Run the suite against the server built last, as far as its groups are there.
pub(crate) fn conformance(places: &Places, arguments: &[OsString]) -> Result<(), Failure> {
    needs::for_testing()?;
    let suite = places.root.join("tests/conformance");
    same_as_shared(places, &suite)?;
    let server = places.server();
    if !server.is_file() {
        let what = server.display().to_string();
        return Err(Failure::Missing { what, remedy: "`cargo xtask build` makes it".to_owned() });
    }
    let built = Guest::built_in(places)?.into_iter().map(|guest| guest.name);
    let built = std::iter::once("core".to_owned()).chain(built).collect::<Vec<_>>().join(",");
    let mut python = Command::new("python3");
    python.arg("-B").arg(suite.join("run.py")).args(["--built", &built, "--server-cmd"]);
    python.arg(format!("{} serve --host 127.0.0.1 --port {{port}} --pty-port {{pty_port}}", quoted(&server)));
    run(&format!("checking conformance of {built}"), python.args(arguments).current_dir(&places.root))
}

/// Where the suite that all servers of this contract share is laid beside the checkout, ours is equal to it.
fn same_as_shared(places: &Places, suite: &Path) -> Result<(), Failure> {
    let shared = places.root.join("../shared/conformance");
    if !shared.is_dir() {
        return Ok(());
    }
    let mut differences = Vec::new();
    compare(suite, &shared, &mut differences)?;
    if differences.is_empty() {
        return Ok(());
    }
    let shown = differences.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    Err(Failure::Tree { detail: format!("tests/conformance is not that of {}: {shown}", shared.display()) })
}

/// Collect the files of either folder that the other has not, or has otherwise.
fn compare(ours: &Path, theirs: &Path, differences: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let mut names: Vec<_> = entries(ours)?.into_iter().chain(entries(theirs)?).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    for name in names.into_iter().filter(|name| name != LEFTOVERS) {
        let (ours, theirs) = (ours.join(&name), theirs.join(&name));
        if ours.is_dir() && theirs.is_dir() {
            compare(&ours, &theirs, differences)?;
        } else if !matches!((fs::read(&ours), fs::read(&theirs)), (Ok(ours), Ok(theirs)) if ours == theirs) {
            differences.push(ours);
        }
    }
    Ok(())
}

/// A path as one word of a POSIX command line.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_one_word() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }

    #[test]
    fn files_that_differ_or_are_on_one_side_only_are_found() {
        let root = std::env::temp_dir().join(format!("xtask-{}-compare", std::process::id()));
        for (file, text) in [
            ("ours/run.py", "a"),
            ("theirs/run.py", "a"),
            ("ours/cases/one.json", "a"),
            ("theirs/cases/one.json", "b"),
            ("ours/cases/two.json", "a"),
            ("theirs/cases/three.json", "a"),
            ("ours/__pycache__/run.pyc", "a"),
        ] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let mut found = Vec::new();
        compare(&root.join("ours"), &root.join("theirs"), &mut found).unwrap();
        let cases = root.join("ours/cases");
        assert_eq!(found, ["one.json", "three.json", "two.json"].map(|name| cases.join(name)));
        fs::remove_dir_all(root).unwrap();
    }
}
