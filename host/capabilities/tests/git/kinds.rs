//! Repositories of every kind look through the stage as they look to git itself.

use crate::rig::Rig;

/// How a repository `r`, with `a.txt` in it and perhaps others, is made.
const KINDS: [(&str, &str); 12] = [
    ("plain", "git init -q -b main r"),
    ("sha256", "git init -q -b main --object-format=sha256 r"),
    ("reftable", "git init -q -b main --ref-format=reftable r"),
    ("worktree", "git init -q -b main m; git -C m commit -q --allow-empty -m m; git -C m worktree add -q ../r -b side"),
    (
        "worktree with tables",
        "git init -q -b main --ref-format=reftable m; git -C m commit -q --allow-empty -m m; \
         git -C m worktree add -q ../r -b side",
    ),
    ("separate directory", "git init -q -b main --separate-git-dir=g r"),
    (
        "submodule",
        "git init -q -b main s; git -C s commit -q --allow-empty -m s; git init -q -b main m; \
         git -C m -c protocol.file.allow=always submodule --quiet add ../s sub; ln -s m/sub r",
    ),
    ("split index", "git init -q -b main r; git -C r config core.splitIndex true"),
    (
        "index of version 4",
        "git init -q -b main r; git -C r config index.version 4; git -C r config core.untrackedCache true",
    ),
    (
        "packed",
        "git init -q -b main r; git -C r commit -q --allow-empty -m m; git -C r gc -q; git -C r pack-refs --all",
    ),
    (
        "shallow",
        "git init -q -b main m; for i in 1 2 3; do git -C m commit -q --allow-empty -m $i; done; \
         git clone -q --depth 1 file://$PWD/m r",
    ),
    (
        "sparse",
        "git init -q -b main r; cd r; mkdir in out; echo 1 > in/f; echo 1 > out/f; git add .; git commit -qm s; \
         git sparse-checkout set in; cd ..",
    ),
];

#[tokio::test]
async fn every_kind_is_seen_as_git_sees_it() {
    for (name, script) in KINDS {
        let rig = Rig::new();
        rig.sh(&format!(
            "{script}; cd r; seq 9 > a.txt; seq 20 29 > b.txt; git add .; git commit -qm c; git status > /dev/null; \
             git mv b.txt c.txt; echo 10 >> a.txt; echo 1 > new; echo 1 > .gitignored; echo .gitignored > .gitignore; \
             git checkout -q -b topic/x"
        ))
        .await;
        let tree = rig.status("r").await.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let own =
            rig.sh("git -C r status --porcelain=v1 | sed 's/^\\(R.\\) \\(.*\\) -> \\(.*\\)/\\1 \\3 <- \\2/'").await;
        assert_eq!(crate::rig::lines(&tree), own.lines().collect::<Vec<_>>(), "{name}");
        assert_eq!(tree.head, b"topic/x", "{name}");
        assert_eq!(rig.diff("r").await.text, rig.sh("git -C r diff").await, "{name}");
        assert_eq!(rig.staged("r").await.text, rig.sh("git -C r diff --staged").await, "{name}");
    }
}

#[tokio::test]
async fn a_submodule_shows_its_commit_and_no_more() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh(
        "cd r; git init -q -b main s; git -C s commit -q --allow-empty -m s; git add s 2> /dev/null; git commit -qm s; \
            echo 1 > s/f",
    )
    .await;
    assert!(rig.lines("r").await.is_empty());
    rig.sh("cd r/s; git add f; git commit -qm f").await;
    assert_eq!(rig.lines("r").await, [" M s"]);
    let patch = rig.diff("r").await;
    assert!(patch.text.contains("-Subproject commit"), "{}", patch.text);
    assert_eq!((patch.files, patch.insertions, patch.deletions), (1, 1, 1));
}
