//! The table of the process guard (`contract: guards §3`), row by row, with both ways of opening paths.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::stage::{OPENERS, Stage, shown};
use abxd_guards::process::{ProcessDenial, ProcessGuard, ProgramFailure};

const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin";

#[track_caller]
fn expect(stage: &Stage, words: &[&str], expected: Result<(), &str>) {
    for (word, opener) in words.iter().flat_map(|word| OPENERS.map(|opener| (word, opener))) {
        let checked = stage.check(word, "", SEARCH, opener).map(drop).map_err(ProcessDenial::code);
        assert_eq!(checked, expected, "{word} {opener:?}");
    }
}

#[test]
fn programs_pass_whether_they_exist_or_not() {
    let stage = Stage::new();
    expect(&stage, &["ls", "/bin/ls", "nosuchcmd", "/no/such", "./nothing", "sh", "/procx", "/develop/x"], Ok(()));
}

#[test]
fn nothing_runs_from_the_kernels_trees() {
    let stage = Stage::new();
    let climb = format!("{}proc/self/exe", "../".repeat(stage.top.components().count()));
    let words = [
        "/proc/self/exe",
        "/bin/../proc/self/exe",
        &climb,
        "/dev/shm/x",
        "/sys/x",
        "/dev",
        "/proc",
        "//proc/self/exe",
        "///proc//self///exe",
        "/.//./proc/self/exe",
        "/proc/",
    ];
    expect(&stage, &words, Err("process_denied"));
    expect(&stage, &["/proc/../bin/ls", "/dev/../bin/ls"], Ok(()));
}

#[test]
fn no_link_leads_into_them() {
    let stage = Stage::new();
    for (name, target) in [
        ("null", "/dev/null"),
        ("exe", "/proc/self/exe"),
        ("version", "/proc/version"),
        ("chain", "exe"),
        ("root", "/proc/self/root"),
        ("missing", "/proc/nothing"),
    ] {
        symlink(target, stage.top.join(name)).unwrap();
    }
    expect(&stage, &["./null", "./exe", "./version", "./chain", "./root/bin/ls", "./missing"], Err("process_denied"));
    symlink("/proc/../bin/ls", stage.top.join("around")).unwrap();
    expect(&stage, &["./around"], Ok(()));
}

#[test]
fn a_search_path_entry_in_them_finds_nothing_that_runs() {
    let stage = Stage::new();
    for opener in OPENERS {
        let check = |word, search| shown(stage.check(word, "", search, opener));
        assert_eq!(check("sh", "/proc/self/root/bin:/bin"), Err("process_denied".to_owned()));
        assert!(check("sh", "/proc:/sys:/dev:/bin").is_ok(), "what isn't found there is looked for elsewhere");
    }
}

#[test]
fn arguments_are_not_looked_at() {
    let guard = ProcessGuard::new(SEARCH.as_ref(), Path::new("/"));
    let argv = ["sh", "-c", "/proc/self/exe"].map(str::to_owned);
    assert!(guard.check(&argv, Path::new("/")).is_ok());
    let argv = ["sh", "a\0b"].map(str::to_owned);
    assert!(guard.check(&argv, Path::new("/")).is_ok(), "that is the command guard's");
}

#[test]
fn a_program_needs_a_name() {
    let stage = Stage::new();
    expect(&stage, &["", "a\0", "/bin/ls\0"], Err("process_invalid"));
    let guard = ProcessGuard::new(SEARCH.as_ref(), Path::new("/"));
    assert_eq!(guard.check(&[], Path::new("/")).unwrap_err(), ProcessDenial::Empty);
}

#[test]
fn a_missing_program_is_told_only_when_it_is_asked_for() {
    let stage = Stage::new();
    for opener in OPENERS {
        for word in ["nosuchcmd", "./nosuchcmd", "/no/such"] {
            let checked = stage.check(word, "", SEARCH, opener).unwrap();
            assert_eq!(checked.word(), word);
            assert_eq!(checked.file().unwrap_err(), ProgramFailure::Missing);
        }
    }
}
