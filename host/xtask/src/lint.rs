use crate::error::Failure;
use crate::needs;
use crate::places::Places;
use crate::step::{cargo, run};

/// What a change has to pass besides its tests. Warnings are errors here.
pub(crate) fn lint(places: &Places) -> Result<(), Failure> {
    needs::for_linting()?;
    let here = |words: &[&str]| {
        let mut command = cargo();
        command.args(words).current_dir(&places.root);
        command
    };
    run("formatting", &mut here(&["fmt", "--all", "--check"]))?;
    run("dependencies", &mut here(&["deny", "--locked", "check", "bans", "licenses", "sources"]))?;
    // All crates at once: nothing is linked, so it does not matter whose features the server gets.
    let clippy = ["clippy", "--release", "--workspace", "--all-targets", "--keep-going", "--", "-D", "warnings"];
    run("clippy", &mut here(&clippy))?;
    let mut doc = here(&["doc", "--release", "--workspace", "--no-deps", "--document-private-items"]);
    run("documentation", doc.env("RUSTDOCFLAGS", "-D warnings"))
}
