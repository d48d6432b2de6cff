//! What has changed in a working tree.

use std::os::unix::ffi::OsStrExt;

use abxd_capabilities::git::GitFailure;
use abxd_guards::path::PathRule;

use crate::rig::{Rig, denying, lines};

#[tokio::test]
async fn a_clean_tree_has_a_branch_and_no_changes() {
    let rig = Rig::new();
    rig.repository("r").await;
    let tree = rig.status("r").await.unwrap();
    assert_eq!((&*tree.head, tree.changes.len(), tree.truncated), (&b"main"[..], 0, false));
    assert_eq!(rig.left(), 0);
}

#[tokio::test]
async fn heads_are_as_git_prints_them() {
    let rig = Rig::new();
    rig.sh("git init -q -b main r").await;
    assert_eq!(rig.status("r").await.unwrap().head, b"No commits yet on main");
    rig.sh("cd r; git commit -q --allow-empty -m x; git checkout -q --detach").await;
    assert_eq!(rig.status("r").await.unwrap().head, b"HEAD (no branch)");
    rig.sh("cd r; git checkout -q -b feature/x; git pack-refs --all").await;
    assert_eq!(rig.status("r").await.unwrap().head, b"feature/x");
}

#[tokio::test]
async fn changes_are_told_with_their_names_as_they_are() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(r#"cd r; for i in 1 2 3 4 5 6 7 8; do echo line $i; done > c.txt; git add .; git commit -qm c;
           git mv c.txt c2.txt; echo more >> a.txt; rm b.txt; echo 1 > 'sp ace é.txt'; mkdir dir; echo 1 > dir/x;
           echo 1 > $'q"u\\o\tt\ne -> x'; echo 1 > added; git add added; echo 2 >> added; echo 1 > $'bad\xff'"#)
        .await;
    let mut found = rig.lines("r").await;
    found.sort();
    let mut expected = vec![
        " D b.txt",
        " M a.txt",
        "?? bad\u{fffd}",
        "?? dir/",
        "?? q\"u\\o\tt\ne -> x",
        "?? sp ace é.txt",
        "AM added",
        "R  c2.txt <- c.txt",
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    let tree = rig.status("r").await.unwrap();
    assert!(tree.changes.iter().any(|change| change.path.as_bytes() == b"bad\xff"));
}

#[tokio::test]
async fn conflicts_have_both_letters() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; git checkout -qb o; echo o > a.txt; git commit -qam o; git checkout -q main; echo m > a.txt; \
            git commit -qam m; git merge -q o || true")
        .await;
    assert_eq!(rig.lines("r").await, ["UU a.txt"]);
}

#[tokio::test]
async fn names_are_from_the_root_wherever_one_asks() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; mkdir -p s/t; echo 1 > s/t/f; git add s/t/f; echo 2 > s/g").await;
    for path in ["r", "r/s", "r/s/t"] {
        assert_eq!(rig.lines(path).await, ["A  s/t/f", "?? s/g"], "{path}");
    }
}

#[tokio::test]
async fn a_touched_file_is_no_change_and_the_index_stays_as_it_is() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; touch -d 2001-01-01 a.txt").await;
    let before = rig.sh("stat -c '%i %z' r/.git/index").await;
    assert!(rig.lines("r").await.is_empty());
    assert_eq!(rig.diff("r").await.text, "");
    assert_eq!(rig.sh("stat -c '%i %z' r/.git/index; ls r/.git | grep lock || true").await, before);
}

#[tokio::test]
async fn what_the_guard_refuses_is_left_out() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; seq 20 > k.pem; git add .; git commit -qm k; git mv k.pem k.txt; echo 1 > x.pem; mkdir -p secret; \
            echo 1 > secret/a; echo 1 > y.txt; ln -s /etc/passwd out")
        .await;
    let tree = rig.status_under(denying(&["*.pem", "secret"]), "r").await.unwrap();
    // A rename is shown only if both names pass, and a link for what it is.
    assert_eq!(lines(&tree), ["?? out", "?? y.txt"]);
    let all = rig.status_under(PathRule::default(), "r").await.unwrap();
    assert_eq!(lines(&all), ["R  k.txt <- k.pem", "?? out", "?? secret/", "?? x.pem", "?? y.txt"]);
}

#[tokio::test]
async fn no_more_changes_are_taken_than_asked_for() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; touch $(seq 2000)").await;
    let tree = rig.status("r").await.unwrap();
    assert_eq!((tree.changes.len(), tree.truncated), (1000, true));
}

#[tokio::test]
async fn git_says_why_not() {
    let rig = Rig::new();
    rig.sh("mkdir plain; touch file; git init -q --bare bare; git init -q r").await;
    for (path, words) in [
        ("plain", "not a git repository"),
        ("missing", "No such file or directory"),
        ("file", "Not a directory"),
        ("bare", "must be run in a work tree"),
        ("r/.git", "must be run in a work tree"),
    ] {
        match rig.status(path).await {
            Err(GitFailure::Said(said)) => assert!(said.contains(words), "{path}: {said}"),
            other => panic!("{path}: {other:?}"),
        }
    }
    assert_eq!(rig.left(), 0);
}
