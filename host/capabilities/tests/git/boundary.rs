//! Repositories that reach beyond the boundary.

use std::path::PathBuf;

use abxd_capabilities::git::GitFailure;
use abxd_guards::path::{PathDenial, PathRule};

use crate::rig::{Rig, lines, working};

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

#[tokio::test]
async fn parts_that_are_links_are_not_followed() {
    let rig = Rig::new();
    rig.sh("git init -q -b main ../secret; cd ../secret; echo top > f; git add .; git commit -qm s").await;
    for part in ["refs", "objects", "packed-refs"] {
        rig.sh("rm -rf r").await;
        rig.repository("r").await;
        rig.sh(&format!(
            "cd r; git -C ../../secret pack-refs --all; rm -rf .git/{part}; ln -s ../../../secret/.git/{part} .git/{part}"
        ))
        .await;
        let failed = rig.status("r").await;
        assert!(matches!(&failed, Err(GitFailure::Said(words)) if !words.contains("scratch")), "{part}: {failed:?}");
    }
}
