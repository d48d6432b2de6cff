//! Repositories that bring a program with them (decision D39): over HTTP, with what callers can set besides. Every way in
//! is tried in `host/capabilities/tests/git/planted.rs`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::{enabled, repository, script};
use crate::harness::Server;

const PLANTS: [&str; 8] = [
    "git config core.fsmonitor $trap",
    "cp $trap .git/hooks/post-index-change; touch -d 2001-01-01 b.txt",
    "git config filter.x.clean $trap; git config filter.x.process $trap; echo '* filter=x' > .gitattributes",
    "git config filter.x.clean $trap; echo '* filter=x' > .git/info/attributes",
    "git config diff.external $trap",
    "git config diff.x.textconv $trap; git config diff.x.command $trap; echo '* diff=x' > .gitattributes",
    "printf '[core]\\nfsmonitor = %s\\n' $trap > .git/x; git config include.path x",
    "git init -q -b main s; git -C s commit -q --allow-empty -m s; git add s 2> /dev/null; git commit -qm s; \
     git -C s config core.fsmonitor $trap",
];

/// A program that leaves a mark.
fn trap(server: &Server) -> String {
    let program = server.place("trap");
    fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", server.place("mark").display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.display().to_string()
}

fn look(server: &Server) {
    let status = server.get("/git/status", "r").ok();
    let files = status["files"].as_array().unwrap();
    assert!(files.contains(&json!({"path": "a.txt", "status": "modified"})), "{status}");
    let diff = server.get("/git/diff", "r").ok();
    assert!(diff["diff"].as_str().unwrap().contains("\n+changed\n"), "{diff}");
    let mark = fs::read_to_string(server.place("mark"));
    assert!(mark.is_err(), "{mark:?}");
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let server = enabled().start();
    let trap = trap(&server);
    for plant in PLANTS {
        script(&server, "rm -rf r");
        repository(&server);
        script(&server, &format!("cd r; trap={trap}; {plant}; echo changed >> a.txt"));
        fs::remove_file(server.place("mark")).ok();
        look(&server);
    }
}

/// Of the environment that callers can set, git gets nothing that is its own.
#[test]
fn variables_of_gits_reach_nothing() {
    let server = enabled().start();
    let trap = trap(&server);
    repository(&server);
    script(&server, "cd r; echo changed >> a.txt");
    let variables = json!({"vars": {
        "GIT_EXTERNAL_DIFF": trap, "GIT_PAGER": trap, "GIT_EXEC_PATH": "/nonexistent", "GIT_DIR": "/nonexistent",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": trap, "PAGER": trap,
        "GIT_TRACE": server.place("mark"), "GIT_TRACE2_EVENT": server.place("mark"), "GIT_TRACE_SETUP": server.place("mark"),
    }});
    server.post("/env", &variables).ok();
    look(&server);
}

/// The user's settings are those of the server's start, wherever a request says that others are.
#[test]
fn what_a_request_sets_does_not_reach_git() {
    let setup = enabled();
    let place = |name: &str, shown: &str| {
        let config = setup.place(name).join("git");
        fs::create_dir_all(&config).unwrap();
        fs::write(config.join("config"), format!("[status]\n\tshowUntrackedFiles = {shown}\n")).unwrap();
        setup.place(name)
    };
    let (of_the_start, other) = (place("config", "no"), place("other", "all"));
    let server = setup.env("XDG_CONFIG_HOME", of_the_start).start();
    repository(&server);
    script(&server, "cd r; touch new");
    let files = || server.get("/git/status", "r").ok()["files"].as_array().unwrap().len();
    assert_eq!(files(), 0);
    server.post("/env", &json!({"vars": {"XDG_CONFIG_HOME": other}})).ok();
    assert_eq!(files(), 0);
}

/// A library that is not there is complained about by every program that is told to load it.
#[test]
fn the_loader_of_git_is_told_nothing() {
    let server = enabled().start();
    repository(&server);
    script(&server, "cd r; echo changed >> a.txt; mkdir ../plain");
    let variables =
        json!({"vars": {"LD_PRELOAD": "/nonexistent/planted.so", "LD_DEBUG": "libs", "LD_AUDIT": "/nonexistent"}});
    server.post("/env", &variables).ok();
    let shell = server.post("/shell", &json!({"command": "true"})).ok();
    assert!(shell["stderr"].as_str().unwrap().contains("planted.so"), "the variables are in force: {shell}");
    let told = server.get("/git/status", "plain").failed_as(400, "GitError");
    let told = told["error"].as_str().unwrap();
    assert!(told.starts_with("fatal: not a git repository") && !told.contains("planted"), "{told}");
    look(&server);
}
