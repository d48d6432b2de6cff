//! What has changed, line by line.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use abxd_capabilities::git::{DiffOptions, GitFailure, Patch, Pathspec};
use abxd_guards::path::PathRule;

use crate::rig::{Rig, denying, only, working};

fn counts(patch: &Patch) -> [u64; 3] {
    [patch.files, patch.insertions, patch.deletions]
}

#[tokio::test]
async fn the_text_is_gits_own() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; printf 'one\\nTWO\\nthree\\n' > a.txt; rm b.txt; echo new > n.txt").await;
    let patch = rig.diff("r").await;
    assert_eq!(patch.text, rig.sh("git -C r diff").await);
    assert_eq!((counts(&patch), patch.truncated), ([2, 2, 2], false));
    assert_eq!(rig.staged("r").await, Patch::default());
    rig.sh("cd r; git add -A").await;
    let staged = rig.staged("r").await;
    assert_eq!(staged.text, rig.sh("git -C r diff --staged").await);
    assert_eq!(counts(&staged), [3, 3, 2]);
}

/// Each of these changes is one that a patch shows in its own way.
const CHANGES: [&str; 10] = [
    "seq 30 > c.txt; git add .; git commit -qm c; git mv c.txt d.txt; echo more >> d.txt; git add .",
    "seq 30 > c.txt; git add .; git commit -qm c; git mv c.txt 'd b/c.txt'",
    "chmod +x a.txt; git add .",
    "head -c 3000 /dev/zero > z; git add .",
    "ln -s a.txt l; git add .; git commit -qm l; rm l; printf 'x\\ny\\n' > l; git add .",
    "printf 'a\\r\\nb' > a.txt; git add .",
    "touch empty; git add .",
    "rm a.txt b.txt; git add -A",
    "echo 1 > $'t\\tq\"u\\\\'; echo 2 > $'n\\nl'; echo 3 > 'é'; git add .",
    "printf -- '-- a/x\\n++ b/x\\n' > b.txt; git add .",
];

#[tokio::test]
async fn every_kind_of_change_is_shown_and_counted_as_git_does() {
    let rig = Rig::new();
    for (index, change) in CHANGES.iter().enumerate() {
        let name = format!("r{index}");
        rig.repository(&name).await;
        rig.sh(&format!("cd {name}; mkdir -p 'd b'; {change}")).await;
        let patch = rig.staged(&name).await;
        let own = rig.sh(&format!("git -C {name} -c core.quotePath=false diff --staged")).await;
        assert_eq!(patch.text, own, "{change}");
        let stat = rig.sh(&format!("git -C {name} diff --staged --shortstat")).await;
        assert_eq!(counts(&patch), numbers(&stat), "{change}: {stat}");
    }
}

/// The three numbers of `1 file changed, 2 insertions(+), 3 deletions(-)`.
fn numbers(stat: &str) -> [u64; 3] {
    let of = |word: &str| {
        let part = stat.split(',').find(|part| part.contains(word));
        part.map_or(0, |part| part.trim().split(' ').next().unwrap().parse().unwrap())
    };
    ["changed", "insertion", "deletion"].map(of)
}

#[tokio::test]
async fn conflicts_are_counted_as_git_counts_them() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; git checkout -qb o; seq 5 > a.txt; git rm -q b.txt; git commit -qam o; git checkout -q main; \
            seq 3 9 > a.txt; echo m > b.txt; git commit -qam m; git merge -q o || true; echo w > c; git add c; echo v > c")
        .await;
    let patch = rig.diff("r").await;
    assert_eq!(patch.text, rig.sh("git -C r diff").await);
    assert_eq!(counts(&patch), numbers(&rig.sh("git -C r diff --shortstat").await));
    let staged = rig.staged("r").await;
    assert_eq!(staged.text, rig.sh("git -C r diff --staged").await);
    assert_eq!(counts(&staged), numbers(&rig.sh("git -C r diff --staged --shortstat").await));
}

#[tokio::test]
async fn what_the_guard_refuses_is_neither_shown_nor_counted() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; seq 20 > k.pem; seq 30 60 > m.txt; echo key > s.pem; mkdir secret; echo top > secret/f; git add .; \
            git commit -qm k; git mv k.pem k.txt; git mv m.txt m.pem; echo more-key >> s.pem; echo more-top > secret/f; \
            echo seen >> a.txt; git add .")
        .await;
    let rule = || denying(&["*.pem", "secret"]);
    let staged = DiffOptions { staged: true, ..working() };
    let patch = rig.diff_under(rule(), "r", staged).await.unwrap();
    assert_eq!(patch.text, rig.sh("git -C r diff --staged a.txt").await);
    assert_eq!(counts(&patch), [1, 1, 0]);
}

#[tokio::test]
async fn one_file_may_be_asked_for_by_name_or_pattern() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(
        "cd r; mkdir s; echo 1 > s/a.txt; echo 1 > '*.txt'; git add .; git commit -qm s; for f in a.txt b.txt s/a.txt \
            '*.txt'; do echo 2 >> \"$f\"; done",
    )
    .await;
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("+++ b/"));
        lines.map(str::to_owned).collect()
    };
    let absolute = rig.work().join("r/b.txt").display().to_string();
    for (path, file, literal, expected) in [
        ("r", "a.txt", true, &["a.txt"][..]),
        ("r", "./a.txt", true, &["a.txt"]),
        ("r/s", "a.txt", true, &["s/a.txt"]),
        ("r/s", "a.txt", false, &["s/a.txt"]),
        ("r", "*.txt", true, &["*.txt"]),
        ("r", "*.txt", false, &["*.txt", "a.txt", "b.txt", "s/a.txt"]),
        ("r", ":(exclude)a.txt", false, &["*.txt", "b.txt", "s/a.txt"]),
        ("r", ":(exclude)a.txt", true, &[]),
        ("r/s", ":/b.txt", false, &["b.txt"]),
        ("r", &absolute, true, &["b.txt"]),
        ("r", &absolute, false, &["b.txt"]),
        ("r", "--output=x", true, &[]),
        ("r", "missing", false, &[]),
    ] {
        let patch = rig.diff_under(PathRule::default(), path, only(file, literal)).await.unwrap();
        assert_eq!(names(&patch.text), expected, "{path} {file} {literal}");
    }
    let outside = rig.diff_under(PathRule::default(), "r", only("/etc/passwd", true)).await;
    assert!(matches!(outside, Err(GitFailure::Said(_))), "{outside:?}");
}

#[tokio::test]
async fn a_file_whose_name_is_no_text_may_be_asked_for() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(r"cd r; mkdir s; for f in s/$'b\xff' s/$'b\xffc' s/b; do echo 1 > $f; done; mkdir $'d\xff'; echo 1 > $'d\xff/x'; git add .").await;
    for (path, file, count) in [
        ("r", &b"s/b\xff"[..], 1),
        ("r/s", b"./b\xff", 1),
        ("r", b"d\xff", 1),
        ("r", b"b\xff", 0),
        ("r/s", b"s/b\xff", 0),
    ] {
        let only = Some(Pathspec { text: OsString::from_vec(file.to_vec()), literal: false });
        let options = DiffOptions { staged: true, only, ..working() };
        let patch = rig.diff_under(PathRule::default(), path, options).await.unwrap();
        assert_eq!(counts(&patch), [count, count, 0], "{path} {file:?}");
    }
}

#[tokio::test]
async fn text_is_cut_between_characters_and_counted_whole() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; for i in $(seq 1000); do echo é$i; done > a.txt").await;
    let whole = rig.diff("r").await;
    for most in [0, 1, 100, 143, 144, 145, whole.text.len() - 1] {
        let cut = rig.diff_under(PathRule::default(), "r", DiffOptions { most, ..working() }).await.unwrap();
        assert!(cut.truncated && cut.text.len() <= most && most - cut.text.len() < 2, "{most}");
        assert!(whole.text.starts_with(&cut.text));
        assert_eq!(counts(&cut), [1, 1000, 2]);
    }
    let most = whole.text.len();
    let exact = rig.diff_under(PathRule::default(), "r", DiffOptions { most, ..working() }).await.unwrap();
    assert_eq!(exact, whole);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(r"cd r; printf 'a\xff\xe2\x82b\r\n' > a.txt").await;
    assert!(rig.diff("r").await.text.contains("+a\u{fffd}\u{fffd}b\r\n"));
}

#[tokio::test]
async fn one_endless_line_takes_no_more_memory_than_is_kept() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; head -c 20000000 /dev/zero | tr '\\0' x > a.txt; seq 100000 > b.txt").await;
    let options = DiffOptions { most: 1000, ..working() };
    let patch = rig.diff_under(PathRule::default(), "r", options).await.unwrap();
    assert_eq!((patch.text.len(), patch.truncated, counts(&patch)), (1000, true, [2, 100_001, 3]));
}
