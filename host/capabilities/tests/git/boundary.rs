//! Repositories that reach beyond the boundary.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use abxd_capabilities::git::{DiffOptions, GitFailure};
use abxd_guards::path::{PathDenial, PathRule};
use abxd_sys::confinement::Confinement;

use crate::rig::{Rig, denying, lines, working};

fn staged() -> DiffOptions {
    DiffOptions { staged: true, ..working() }
}

fn within(root: PathBuf) -> PathRule {
    PathRule { allow: vec![root], ..PathRule::default() }
}

#[tokio::test]
async fn of_a_repository_around_the_boundary_only_what_is_inside_is_shown() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(
        "cd r; mkdir s; echo 1 > s/f; git add .; git commit -qm s; echo 2 >> s/f; echo outside >> a.txt; echo 1 > new",
    )
    .await;
    let rule = || within(rig.work().join("r/s"));
    assert_eq!(lines(&rig.status_under(rule(), "r/s").await.unwrap()), [" M s/f"]);
    let patch = rig.diff_under(rule(), "r/s", working()).await.unwrap();
    assert_eq!((patch.files, patch.insertions, patch.deletions), (1, 1, 0));
    assert!(!patch.text.contains("outside"), "{}", patch.text);
}

#[tokio::test]
async fn what_a_repository_points_at_has_to_be_inside() {
    let rig = Rig::new();
    rig.sh("git init -q -b main ../secret; cd ../secret; echo top > f; git add .; git commit -qm s").await;
    let secret = rig.top.join("secret/.git").display().to_string();
    for (name, script) in [
        ("file", format!("mkdir r; echo 'gitdir: {secret}' > r/.git")),
        ("link", format!("mkdir r; ln -s {secret} r/.git")),
        ("link to a file", format!("mkdir r; echo 'gitdir: {secret}' > g; ln -s ../g r/.git")),
        ("common directory", format!("git init -q -b main r; echo {secret} > r/.git/commondir")),
        ("worktree", "git -C ../secret worktree add -q ../work/r -b side".to_owned()),
    ] {
        rig.sh(&format!("rm -rf r; {script}")).await;
        let outside = Err(GitFailure::Denied(PathDenial::Outside));
        assert_eq!(rig.status("r").await, outside, "{name}");
        let diff = rig.diff_under(PathRule::default(), "r", working()).await;
        assert_eq!(diff.map(drop), outside.map(drop), "{name}");
    }
}

/// A repository beside the boundary, with a name in its index and a text in its only commit that nobody may see, loose
/// and packed, and a branch.
const SECRET: &str = "git init -q -b main ../secret; cd ../secret; echo top-secret > hidden; git add .; git commit -qm s; \
    git branch hidden-branch; blob=$(git rev-parse HEAD:hidden); echo $blob > ../blob; cp -r .git packed; \
    git --git-dir=packed gc -q; git --git-dir=packed pack-refs --all; cp packed/packed-refs .git/packed-refs; \
    cp .git/HEAD head; echo 'ref: refs/heads/hidden-branch' > .git/HEAD";

/// What each link is put in place of; `$out` is the repository outside, `$loose` the part of an object's name that is its
/// path.
const LINKS: [(&str, &str); 14] = [
    ("index", "ln -sf $out/index .git/index"),
    ("HEAD", "ln -sf $out/HEAD .git/HEAD"),
    ("refs", "rm -rf .git/refs; ln -s $out/refs .git/refs"),
    ("branches", "rm -rf .git/refs/heads; ln -s $out/refs/heads .git/refs/heads"),
    ("one branch", "ln -sf $out/refs/heads/main .git/refs/heads/main"),
    ("packed refs", "ln -sf $out/packed-refs .git/packed-refs"),
    ("objects", "rm -rf .git/objects; ln -s $out/objects .git/objects"),
    ("a folder of objects", "rm -rf .git/objects/${loose%/*}; ln -s $out/objects/${loose%/*} .git/objects/"),
    ("one object", "mkdir -p .git/objects/${loose%/*}; ln -s $out/objects/$loose .git/objects/$loose"),
    ("packs", "rm -rf .git/objects/pack; ln -s $out/../packed/objects/pack .git/objects/pack"),
    ("one pack", "ln -s $out/../packed/objects/pack/* .git/objects/pack/"),
    ("patterns", "ln -sf $out/../hidden .git/info/exclude"),
    ("folder of patterns", "rm -rf .git/info; ln -s $out/info .git/info"),
    ("a merge", "ln -s $out/refs/heads/main .git/MERGE_HEAD"),
];

fn planting(rig: &Rig, script: &str) -> String {
    let out = rig.top.join("secret/.git").display().to_string();
    format!("out={out}; blob=$(cat $out/../../blob); loose=${{blob:0:2}}/${{blob:2}}; cd r; {script}")
}

#[tokio::test]
async fn parts_that_are_links_are_not_followed() {
    let rig = Rig::new();
    rig.sh(SECRET).await;
    for (name, script) in LINKS {
        rig.sh("rm -rf r").await;
        rig.repository("r").await;
        rig.sh(&planting(&rig, script)).await;
        let failed = rig.status("r").await;
        let is_told = |words: &String| words.contains("is a link") && !words.contains("scratch");
        assert!(matches!(&failed, Err(GitFailure::Said(words)) if is_told(words)), "{name}: {failed:?}");
        assert!(matches!(rig.diff_under(PathRule::default(), "r", staged()).await, Err(GitFailure::Said(_))), "{name}");
    }
}

/// A link that leads to a place within the boundary leads past the guard all the same.
#[tokio::test]
async fn parts_that_are_links_to_what_is_denied_are_not_followed() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("mv r/.git/index hidden; ln -s ../../hidden r/.git/index").await;
    assert!(matches!(rig.status_under(denying(&["hidden"]), "r").await, Err(GitFailure::Said(_))));
}

/// What is put in place when the parts have been looked at, and before git reads them.
#[tokio::test]
async fn links_that_come_later_lead_nowhere() {
    if Confinement::new().is_err() {
        // Here the look at the parts is all that there is.
        return;
    }
    for (name, script) in LINKS {
        let rig = Rig::new();
        rig.sh(SECRET).await;
        rig.repository("r").await;
        // The run that looks is the one with a stage.
        let planted = rig.top.join("planted").display().to_string();
        let wait = format!("until test -e {planted}; do sleep 0.01; done");
        let script = planting(&rig, &format!("ln -sf $out/index .git/index; {script}; touch {planted}"));
        rig.program(
            "git",
            &format!("PATH=${{PATH#*:}}; case $GIT_COMMON_DIR in */scratch/*) {wait};; esac; exec git \"$@\""),
        );
        let plant = async {
            while rig.left() == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            rig.sh(&format!("PATH=${{PATH#*:}}; {script}")).await;
        };
        let (shown, ()) = tokio::join!(rig.diff_under(PathRule::default(), "r", staged()), plant);
        let shown = format!("{shown:?} {:?}", rig.status("r").await);
        assert!(!shown.contains("top-secret") && !shown.contains("hidden"), "{name}: {shown}");
    }
}

#[tokio::test]
async fn a_directory_of_the_working_tree_that_becomes_a_link_leads_nowhere() {
    if Confinement::new().is_err() {
        return;
    }
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(
        "mkdir r/d ../d; echo own > r/d/f; echo top-secret > ../d/f; cd r; git add .; git commit -qm d; echo 2 > d/f",
    )
    .await;
    let swap = "cd r; mv d e; while ! test -e stop; do ln -s ../../d d; rm d; mv e d; mv d e; done";
    let looks = async {
        for _ in 0..40 {
            let shown = rig.diff_under(PathRule::default(), "r", working()).await;
            assert!(!format!("{shown:?}").contains("top-secret"), "{shown:?}");
        }
        fs::write(rig.work().join("r/stop"), "").unwrap();
    };
    tokio::join!(rig.sh(swap), looks);
}

#[tokio::test]
async fn a_submodule_that_is_outside_is_not_looked_at() {
    let rig = Rig::new();
    rig.sh(SECRET).await;
    rig.repository("r").await;
    rig.sh(
        "cd r; git init -q -b main s; git -C s commit -q --allow-empty -m s; git add s 2> /dev/null; git commit -qm s; \
            rm -rf s/.git; echo \"gitdir: $PWD/../../secret/.git\" > s/.git",
    )
    .await;
    let commit = rig.sh("git --git-dir=../secret/.git rev-parse hidden-branch").await;
    let shown = format!("{:?} {:?}", rig.status("r").await, rig.diff_under(PathRule::default(), "r", working()).await);
    assert!(!shown.contains(commit.trim()), "{shown}");
}

#[tokio::test]
async fn patterns_that_a_repository_names_have_to_be_inside() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("echo 'hid*' > ../patterns; echo 'own*' > patterns; touch r/hidden r/own; \
            git -C r config core.excludesFile $PWD/../patterns")
        .await;
    assert_eq!(rig.lines("r").await, ["?? hidden", "?? own"]);
    rig.sh("git -C r config core.excludesFile $PWD/patterns").await;
    assert_eq!(rig.lines("r").await, ["?? hidden"]);
    rig.sh(
        "git -C r config --unset core.excludesFile; printf '[core]\\nexcludesFile = %s\\n' $PWD/patterns > ../more; \
            git -C r config include.path $PWD/../more",
    )
    .await;
    assert_eq!(rig.lines("r").await, ["?? hidden", "?? own"]);
}

#[tokio::test]
async fn what_is_no_file_holds_nobody_up() {
    for place in ["HEAD", "config", "commondir", "index", "packed-refs", "refs/heads/x", "info/exclude", "objects/00/x"]
    {
        let rig = Rig::new();
        rig.repository("r").await;
        rig.sh(&format!("cd r/.git; rm -f {place}; mkdir -p objects/00; mkfifo {place}")).await;
        let failed = tokio::time::timeout(Duration::from_secs(20), rig.status("r")).await;
        assert!(matches!(failed, Ok(Err(GitFailure::Said(_)))), "{place}: {failed:?}");
    }
}
