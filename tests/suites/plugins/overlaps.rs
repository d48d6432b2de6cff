//! Components that take what is another group's: names, ids, requests.

use std::path::PathBuf;

use super::component::{bare, one_endpoint, pack, packed};
use crate::harness::Setup;

/// The good component as another group, with one endpoint.
fn echo_as(setup: &Setup, name: &str, group: &str, endpoint: &str) -> PathBuf {
    setup.keep(name, pack(&bare("echo"), &one_endpoint(group, endpoint)))
}

#[test]
fn what_is_somebody_elses_cannot_be_taken() {
    for (group, endpoint, said) in [
        (
            "process",
            "id = \"x\"\nmethod = \"GET\"\npath = \"/x\"",
            "group `process` is built in; a plugin needs a name of its own",
        ),
        (
            "core",
            "id = \"x\"\nmethod = \"GET\"\npath = \"/x\"",
            "group `core` is built in; a plugin needs a name of its own",
        ),
        (
            "taker",
            "id = \"files_stat\"\nmethod = \"GET\"\npath = \"/x\"",
            "endpoint `files_stat` is there already, in group `file_ops`; ids are unique over all groups",
        ),
        (
            "taker",
            "id = \"echo_text\"\nmethod = \"GET\"\npath = \"/x\"",
            "endpoint `echo_text` is there already, in group `echo`; ids are unique over all groups",
        ),
        (
            "taker",
            "id = \"x\"\nmethod = \"GET\"\npath = \"/files/stat\"",
            "endpoint `x`: GET /files/stat matches requests of `files_stat` (/files/stat) in group `file_ops`; \
             a request belongs to one group",
        ),
        (
            "taker",
            "id = \"x\"\nmethod = \"GET\"\npath = \"/{any}\"",
            "endpoint `x`: GET /{any} matches requests of `health` (/health) in group `core`; a request belongs to one group",
        ),
        (
            "taker",
            "id = \"x\"\nmethod = \"POST\"\npath = \"/commands/run\"",
            "endpoint `x`: POST /commands/run matches requests of `run_command` (/commands/{name}) in group `commands`; \
             a request belongs to one group",
        ),
        (
            "taker",
            "id = \"x\"\nmethod = \"POST\"\npath = \"/{any}\"",
            // The first of several.
            "",
        ),
    ] {
        let setup = Setup::new();
        let file = echo_as(&setup, "taker.wasm", group, endpoint);
        let outcome = setup.plugin(packed("echo")).plugin(&file).run();
        let line = outcome.one_line(1);
        assert!(line.starts_with(&format!("abxd: {}: ", file.display())), "{line}");
        assert!(line.ends_with(said), "{line}\n{said}");
    }
}

/// Requests of one third party's plugin are none of another's.
#[test]
fn a_pattern_cannot_catch_another_plugins_requests() {
    let setup = Setup::new();
    let file = echo_as(&setup, "catcher.wasm", "catcher", "id = \"x\"\nmethod = \"GET\"\npath = \"/hostile/{any}\"");
    let outcome = setup.plugin(&file).with_hostile().run();
    let line = outcome.one_line(1);
    assert!(
        line.contains("hostile.wasm: endpoint `hostile_loop`: GET /hostile/loop matches requests of `x`"),
        "{line}"
    );
}

#[test]
fn two_files_cannot_be_one_group() {
    let setup = Setup::new();
    let other = echo_as(&setup, "other.wasm", "echo", "id = \"x\"\nmethod = \"GET\"\npath = \"/x\"");
    let outcome = setup.plugin(packed("echo")).plugin(&other).run();
    let (one, other) = (packed("echo").display().to_string(), other.display().to_string());
    assert_eq!(outcome.one_line(1), format!("abxd: {one} and {other}: both have group `echo`; leave one out"));
}
