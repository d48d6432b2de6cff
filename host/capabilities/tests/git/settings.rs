//! Settings that name nothing count.

use crate::rig::Rig;

#[tokio::test]
async fn settings_of_user_and_repository_count() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; echo 1 > new; chmod +x a.txt; echo 1 > x.swp; echo 1 > y.tmp").await;
    assert_eq!(rig.lines("r").await, [" M a.txt", "?? new", "?? x.swp", "?? y.tmp"]);
    rig.sh("git -C r config core.fileMode false; mkdir -p ~/.config/git; echo '*.swp' > ~/.config/git/ignore").await;
    assert_eq!(rig.lines("r").await, ["?? new", "?? y.tmp"]);
    rig.sh("echo '*.tmp' > ~/mine; git config --file ~/.gitconfig core.excludesFile '~/mine'").await;
    assert_eq!(rig.lines("r").await, ["?? new", "?? x.swp"]);
    rig.sh("git config --file ~/.gitconfig status.showUntrackedFiles no").await;
    assert!(rig.lines("r").await.is_empty());
    rig.sh("cd r; git config diff.context 0; git config core.fileMode true; echo three >> a.txt").await;
    assert!(rig.diff("r").await.text.contains("@@ -2,0 +3 @@"));
}

#[tokio::test]
async fn a_prefix_of_the_users_own_is_not_taken() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("cd r; echo x >> a.txt; git config diff.noprefix true; git config diff.mnemonicPrefix true").await;
    assert!(rig.diff("r").await.text.starts_with("diff --git a/a.txt b/a.txt\n"));
}
