//! `git_status` and `git_diff` (contract: dev_tools).

use serde_json::json;

use super::{enabled, repository, ruled, script};
use crate::harness::{Answer, Server};

fn status(server: &Server, path: &str) -> Answer {
    server.get("/git/status", path)
}

fn diff(server: &Server, query: &[(&str, &str)]) -> Answer {
    let request =
        query.iter().fold(server.request("GET", "/git/diff"), |request, (name, value)| request.query(name, value));
    server.call(&request)
}

fn diffed(server: &Server, query: &[(&str, &str)]) -> (String, [u64; 3]) {
    let body = diff(server, query).ok();
    let count = |name: &str| body["stats"][name].as_u64().unwrap();
    let keys = [body.as_object().unwrap().len(), body["stats"].as_object().unwrap().len()];
    assert_eq!(keys, [2, 3], "{body}");
    (body["diff"].as_str().unwrap().to_owned(), ["files_changed", "insertions", "deletions"].map(count))
}

#[test]
fn a_status_is_the_contracts_example() {
    let server = enabled().start();
    repository(&server);
    script(
        &server,
        "cd r; seq 20 > c.txt; echo 1 > 'sp ace é.txt'; git add .; git commit -qm c; echo more >> a.txt; \
         git mv c.txt c2.txt; echo 2 > 'sp ace é.txt'; mkdir dir; echo 1 > dir/f",
    );
    let expected = json!({"branch": "main", "clean": false, "files": [
        {"path": "a.txt", "status": "modified"},
        {"path": "c2.txt", "status": "renamed", "old_path": "c.txt"},
        {"path": "sp ace é.txt", "status": "modified"},
        {"path": "dir/", "status": "untracked"},
    ]});
    assert_eq!(status(&server, "r").ok(), expected);
    // Without a path, or with a blank one, the server's own directory is meant.
    script(&server, "git init -q -b top .");
    for target in ["/git/status", "/git/status?path="] {
        assert_eq!(server.call(&server.request("GET", target)).ok()["branch"], "No commits yet on top");
    }
}

#[test]
fn names_that_are_no_text_have_a_twin() {
    let server = enabled().start();
    repository(&server);
    script(&server, r"cd r; touch $'bad\xff'; mkdir $'d\xfe'; cd $'d\xfe'; touch x");
    let files = status(&server, "r").ok()["files"].clone();
    assert_eq!(files[0], json!({"path": "bad\u{fffd}", "path_b64": "YmFk/w==", "status": "untracked"}));
    let twin = server.request("GET", "/git/status").query("path_b64", "ci9k/g==");
    assert_eq!(server.call(&twin).ok()["files"], files);
    let staged = server.request("GET", "/git/diff?staged=1").query("path", "r").query("file_b64", "YmFk/w==");
    script(&server, "cd r; git add .");
    assert_eq!(server.call(&staged).ok()["stats"]["files_changed"], 1);
}

#[test]
fn a_place_that_is_not_a_repository_is_gits_to_refuse_and_one_outside_the_guards() {
    let server = enabled().start();
    script(&server, "mkdir plain");
    for target in ["/git/status", "/git/diff"] {
        for path in ["plain", "missing"] {
            assert_eq!(server.get(target, path).failed_as(400, "GitError").get("code"), None, "{target} {path}");
        }
        server.get(target, "/etc").refused(403, "path_not_allowed");
        server.get(target, server.outside()).refused(403, "path_not_allowed");
        server.get(target, "a\0b").refused(400, "invalid_path");
    }
}

#[test]
fn without_git_nothing_is_found() {
    let setup = enabled();
    let bin = setup.place("bin");
    std::fs::create_dir(&bin).unwrap();
    let server = setup.env("PATH", &bin).start();
    status(&server, ".").failed_as(500, "FileNotFoundError");
    diff(&server, &[]).failed_as(500, "FileNotFoundError");
}

#[test]
fn a_diff_is_of_the_working_tree_or_of_what_is_staged() {
    let server = enabled().start();
    repository(&server);
    script(&server, "cd r; printf 'one\\nTWO\\nthree\\n' > a.txt; echo y > b.txt; git add b.txt");
    let (text, counts) = diffed(&server, &[("path", "r")]);
    assert!(text.starts_with("diff --git a/a.txt b/a.txt\n") && text.contains("\n-two\n+TWO\n+three\n"), "{text}");
    assert_eq!(counts, [1, 2, 1]);
    for word in ["true", "YES", "1"] {
        assert_eq!(diffed(&server, &[("path", "r"), ("staged", word)]).1, [1, 1, 1], "{word}");
    }
    for word in ["on", "false", "0"] {
        assert_eq!(diffed(&server, &[("path", "r"), ("staged", word)]).1, [1, 2, 1], "{word}");
    }
    assert_eq!(diffed(&server, &[("path", "r"), ("file", "b.txt")]), (String::new(), [0, 0, 0]));
    assert_eq!(diffed(&server, &[("path", "r"), ("file", "*.txt")]).1, [1, 2, 1]);
    assert_eq!(diffed(&server, &[("path", "r"), ("file", "--stat")]), (String::new(), [0, 0, 0]));
}

#[test]
fn a_file_is_judged_before_its_form() {
    let server = enabled().start();
    repository(&server);
    let outside = diff(&server, &[("path", "r"), ("file", "../../../etc/passwd")]).refused(403, "path_not_allowed");
    assert!(outside["error"].as_str().unwrap().starts_with("file"), "{outside}");
    diff(&server, &[("path", "r"), ("file", "/etc/passwd")]).refused(403, "path_not_allowed");
    for file in ["dir/../a.txt", "..", "../plain"] {
        let problem = diff(&server, &[("path", "r"), ("file", file)]).failed_as(400, "ValueError");
        assert_eq!(problem.get("code"), None, "{file}");
    }
    diff(&server, &[("path", "plain"), ("file", "../outside/x")]).failed(400);
}

#[test]
fn a_rule_with_patterns_wants_a_file_and_takes_it_literally() {
    let server = ruled("git_diff", &json!({"paths": {"deny": ["*.key"]}})).start();
    repository(&server);
    script(
        &server,
        "cd r; echo 1 > x.key; echo 1 > '*'; git add .; git commit -qm k; for f in a.txt x.key '*'; do echo 2 >> \"$f\"; done",
    );
    diff(&server, &[("path", "r")]).refused(403, "path_denied");
    diff(&server, &[("path", "r"), ("file", "x.key")]).refused(403, "path_denied");
    assert_eq!(diffed(&server, &[("path", "r"), ("file", "a.txt")]).1, [1, 1, 0]);
    let (text, counts) = diffed(&server, &[("path", "r"), ("file", "*")]);
    assert_eq!(counts, [1, 1, 0]);
    assert!(text.starts_with("diff --git a/* b/*\n"), "{text}");
    // A directory above it is no way round.
    let (text, _) = diffed(&server, &[("path", "r"), ("file", ".")]);
    assert!(!text.contains("x.key") && text.contains("a.txt"), "{text}");
}

#[test]
fn a_status_leaves_out_what_is_denied() {
    let server = ruled("git_status", &json!({"paths": {"deny": ["*.key", "secret"]}})).start();
    repository(&server);
    script(&server, "cd r; echo 1 > x.key; mkdir secret; echo 1 > secret/f");
    assert_eq!(status(&server, "r").ok(), json!({"branch": "main", "clean": true, "files": []}));
}

#[test]
fn a_large_diff_is_cut_and_counted_whole() {
    let server = enabled().start();
    repository(&server);
    script(&server, "cd r; for i in $(seq 60000); do echo 'é line of a large file' $i; done > a.txt");
    let (text, counts) = diffed(&server, &[("path", "r")]);
    let cut = text.strip_suffix("\n... (truncated at 1MB)").unwrap();
    assert!((1_048_570..=1_048_576).contains(&cut.len()), "{}", cut.len());
    assert_eq!(counts, [1, 60_000, 2]);
}

#[test]
fn odd_bytes_and_names_come_as_they_are() {
    let server = enabled().start();
    repository(&server);
    script(&server, r"cd r; printf 'a\xff\r\n' > a.txt; echo 1 > é; git add é");
    let (text, _) = diffed(&server, &[("path", "r")]);
    assert!(text.contains("+a\u{fffd}\r\n"), "{text:?}");
    let (text, _) = diffed(&server, &[("path", "r"), ("staged", "1")]);
    assert!(text.starts_with("diff --git a/é b/é\n"), "{text}");
}

/// A link that leads outside is shown for what it is, and a repository outside through none.
#[test]
fn links_lead_nowhere() {
    let server = enabled().start();
    repository(&server);
    script(
        &server,
        "cd r; ln -s /etc/passwd out; mkdir ../w; git init -q ../../outside/s; ln -s ../../outside/s/.git ../w/.git",
    );
    let files = status(&server, "r").ok()["files"].clone();
    assert_eq!(files, json!([{"path": "out", "status": "untracked"}]));
    status(&server, "w").refused(403, "path_not_allowed");
    script(
        &server,
        "cd ../outside/s; echo top-secret > f; git add .; cd ../../base; git init -q l; ln -s $PWD/../outside/s/.git/index l/.git/index",
    );
    let told = status(&server, "l").failed_as(400, "GitError");
    assert!(told["error"].as_str().unwrap().starts_with("index of the repository is a link"), "{told}");
    diff(&server, &[("path", "l"), ("staged", "1")]).failed_as(400, "GitError");
}

#[test]
fn the_audit_names_the_directory() {
    let setup = ruled("git_status", &json!({"audit": "all"}));
    let server = setup.start();
    repository(&server);
    status(&server, "r").ok();
    let log = server.stop();
    let line = log.iter().find(|line| line.contains("git_status")).unwrap();
    assert!(line.contains("/base/r\""), "{line}");
}
