//! Ways into a program of somebody's choice that a repository can hold, each planted (decision D39). Most of them are
//! shown to work with git as it is.

use std::fs;

use abxd_capabilities::git::GitFailure;

use crate::rig::{Rig, Trap};

/// A plant: a script in a repository with a change in `a.txt`, where `$trap` is the program that nothing may run and
/// `$home` the user's home.
struct Plant {
    name: &'static str,
    script: &'static str,
    /// Whether `git status` or `git diff` runs it.
    bites: bool,
}

const fn biting(name: &'static str, script: &'static str) -> Plant {
    Plant { name, script, bites: true }
}

const fn idle(name: &'static str, script: &'static str) -> Plant {
    Plant { name, script, bites: false }
}

const PLANTS: [Plant; 25] = [
    biting("monitor", "git config core.fsmonitor $trap"),
    biting("hook", "cp $trap .git/hooks/post-index-change; touch -d 2001-01-01 b.txt"),
    biting(
        "hooks path",
        "mkdir h; cp $trap h/post-index-change; git config core.hooksPath h; touch -d 2001-01-01 b.txt",
    ),
    biting("filter", "git config filter.x.clean $trap; echo '* filter=x' > .gitattributes"),
    biting("process filter", "git config filter.x.process $trap; echo '* filter=x' > .gitattributes"),
    biting(
        "required filter",
        "git config filter.x.clean $trap; git config filter.x.required true; echo '* filter=x' > .gitattributes",
    ),
    biting(
        "filter of an odd name",
        "git config 'filter.a=b.c d.clean' $trap; git config filter.a=b.c.clean $trap; \
         printf '* \"filter=a=b.c d\"\\n* filter=a=b.c\\n' > .gitattributes",
    ),
    biting("attributes of the repository", "git config filter.x.clean $trap; echo '* filter=x' > .git/info/attributes"),
    biting(
        "attributes of a setting",
        "git config filter.x.clean $trap; echo '* filter=x' > .git/x; git config core.attributesFile $PWD/.git/x",
    ),
    biting(
        "attributes in the index",
        "git config filter.x.clean $trap; echo '* filter=x' > .gitattributes; git add .gitattributes; rm .gitattributes",
    ),
    biting("text conversion", "git config diff.x.textconv $trap; echo '* diff=x' > .gitattributes"),
    biting("diff driver", "git config diff.x.command $trap; echo '* diff=x' > .gitattributes"),
    biting("external diff", "git config diff.external $trap"),
    biting("include", "printf '[core]\\nfsmonitor = %s\\n' $trap > .git/x; git config include.path x"),
    biting(
        "conditional include",
        "printf '[core]\\nfsmonitor = %s\\n' $trap > .git/x; git config includeIf.gitdir:/.path x",
    ),
    biting(
        "settings of the working tree",
        "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $trap",
    ),
    biting("settings of the user", "git config --file $home/.gitconfig core.fsmonitor $trap"),
    biting(
        "settings of the user's other file",
        "mkdir -p $home/.config/git; git config --file $home/.config/git/config diff.external $trap",
    ),
    biting(
        "submodule",
        "git init -q -b main s; git -C s commit -q --allow-empty -m s; git add s 2> /dev/null; git commit -qm s; \
         git -C s config core.fsmonitor $trap",
    ),
    biting(
        "summary of a submodule",
        "git init -q -b main s; git -C s commit -q --allow-empty -m s; git add s 2> /dev/null; git commit -qm s; \
         echo 1 > s/f; git -C s add f; git -C s commit -qm t; git config diff.submodule diff; \
         git -C s config diff.external $trap",
    ),
    idle("pager", "git config core.pager $trap; git config pager.status $trap; git config pager.diff $trap"),
    idle("alias", "git config alias.status !$trap; git config alias.diff !$trap; git config alias.rev-parse !$trap"),
    idle(
        "credentials",
        "git config credential.helper $trap; git config core.askPass $trap; git config core.sshCommand $trap",
    ),
    idle(
        "alternate refs",
        "git config core.alternateRefsCommand $trap; git config core.gitProxy $trap; git config core.editor $trap",
    ),
    idle("colours", "git config color.ui always; git config color.diff always; git config color.status always"),
];

async fn planted(rig: &Rig, trap: &Trap, script: &str) {
    let home = rig.top.join("home").display().to_string();
    rig.sh(&format!("trap={}; home={home}; cd r; {script}; echo changed >> a.txt", trap.program)).await;
}

/// What git as it is would have run.
async fn bitten(rig: &Rig, trap: &Trap) -> bool {
    rig.sh("cd r; (git status; git diff; git diff --cached) > /dev/null 2>&1 || true").await;
    trap.sprung().is_some()
}

#[tokio::test]
async fn nothing_that_is_planted_is_run_and_the_answer_is_right() {
    for Plant { name, script, bites } in PLANTS {
        let rig = Rig::new();
        rig.repository("r").await;
        let trap = rig.trap();
        planted(&rig, &trap, script).await;
        fs::remove_file(rig.top.join("mark")).ok();
        let lines = rig.lines("r").await;
        assert!(lines.iter().any(|line| line == " M a.txt"), "{name}: {lines:?}");
        let patch = rig.diff("r").await;
        assert!(patch.text.contains("\n+changed\n") && !patch.text.contains('\u{1b}'), "{name}: {}", patch.text);
        rig.staged("r").await;
        assert_eq!(trap.sprung(), None, "{name}");
        assert_eq!(rig.left(), 0, "{name}");
        assert_eq!(bitten(&rig, &trap).await, bites, "{name}: what git as it is does");
    }
}

#[tokio::test]
async fn what_is_missing_is_not_fetched() {
    for transport in [
        "git config remote.origin.url x; git config remote.origin.vcs evil",
        "git config remote.origin.url ext::$trap; git config protocol.ext.allow always",
        "git config remote.origin.url ssh://x/y; git config core.sshCommand $trap",
        "git config remote.origin.url $PWD; git config remote.origin.uploadpack $trap",
    ] {
        let rig = Rig::new();
        rig.repository("r").await;
        let trap = rig.trap();
        let script = format!(
            "{transport}; git config extensions.partialClone origin; git config remote.origin.promisor true; \
             blob=$(git rev-parse HEAD:a.txt); rm -f .git/objects/${{blob:0:2}}/${{blob:2}}"
        );
        planted(&rig, &trap, &script).await;
        assert_eq!(rig.lines("r").await, [" M a.txt"]);
        let failed = rig.diff_under(Default::default(), "r", crate::rig::working()).await;
        assert!(matches!(failed, Err(GitFailure::Said(_))), "{transport}: {failed:?}");
        assert_eq!(trap.sprung(), None, "{transport}");
    }
}

#[tokio::test]
async fn no_variable_of_gits_reaches_it() {
    let trap = "/proc/self/nonexistent/trap";
    let rig = Rig::with(&[
        ("GIT_EXTERNAL_DIFF", trap),
        ("GIT_DIR", "/nonexistent"),
        ("GIT_WORK_TREE", "/etc"),
        ("GIT_INDEX_FILE", "/nonexistent"),
        ("GIT_OBJECT_DIRECTORY", "/nonexistent"),
        ("GIT_EXEC_PATH", "/nonexistent"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
        ("GIT_CONFIG_VALUE_0", trap),
        ("GIT_CONFIG_PARAMETERS", "'status.showuntrackedfiles=no'"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_DIFF_OPTS", "-u0"),
        ("GIT_NAMESPACE", "x"),
    ]);
    rig.sh(
        "unset ${!GIT_*}; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; \
            git init -q -b main r; cd r; seq 5 > a.txt; git add .; git commit -qm x; echo 6 >> a.txt; echo 1 > new",
    )
    .await;
    assert_eq!(rig.lines("r").await, [" M a.txt", "?? new"]);
    let patch = rig.diff_under(Default::default(), "r", crate::rig::only("*.txt", false)).await.unwrap();
    assert!(patch.text.contains("@@ -3,3 +3,4 @@"), "{}", patch.text);
}

#[tokio::test]
async fn no_variable_that_a_request_has_set_reaches_it() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.program("git", "env | grep -q /nonexistent && exit 3; PATH=${PATH#*:} exec git \"$@\"");
    let odd = [
        "LD_PRELOAD",
        "GLIBC_TUNABLES",
        "GCONV_PATH",
        "MALLOC_CHECK_",
        "PYTHONPATH",
        "GIT_TRACE",
        "TZ",
        "XDG_CONFIG_HOME",
    ];
    rig.set(&odd.map(|name| (name, "/nonexistent")));
    assert!(rig.lines("r").await.is_empty());
    assert_eq!(rig.diff("r").await.text, "");
}

#[tokio::test]
async fn nothing_is_written_where_settings_and_variables_say() {
    let rig = Rig::new();
    let log = rig.top.join("log").display().to_string();
    rig.repository("r").await;
    let targets = ["normalTarget", "perfTarget", "eventTarget"].map(|key| format!("\t{key} = {log}\n")).concat();
    fs::write(rig.top.join("home/.gitconfig"), format!("[trace2]\n{targets}")).unwrap();
    let before = fs::read_dir(rig.work().join("r/.git")).unwrap().count();
    rig.lines("r").await;
    rig.diff("r").await;
    assert!(!rig.top.join("log").exists());
    assert_eq!(fs::read_dir(rig.work().join("r/.git")).unwrap().count(), before);
    rig.sh("git -C r status > /dev/null").await;
    assert!(rig.top.join("log").exists(), "git as it is writes");
}

#[tokio::test]
async fn the_working_tree_is_where_the_repository_was_found() {
    let rig = Rig::new();
    rig.repository("r").await;
    rig.sh("mkdir other; echo secret > other/a.txt; cd r; git config core.worktree $PWD/../other; echo own >> a.txt")
        .await;
    assert_eq!(rig.lines("r").await, [" M a.txt"]);
    let text = rig.diff("r").await.text;
    assert!(text.contains("+own") && !text.contains("secret"), "{text}");
}

#[tokio::test]
async fn objects_of_other_places_are_not_read() {
    let rig = Rig::new();
    rig.sh("mkdir ../outside; cd ../outside; git init -q -b main s; cd s; echo top-secret > f; git add .; git commit -qm s").await;
    rig.repository("r").await;
    rig.sh("cd r; echo $PWD/../../outside/s/.git/objects > .git/objects/info/alternates; \
            git update-index --add --cacheinfo 100644,$(git -C ../../outside/s rev-parse HEAD:f),f; \
            test \"$(git show :f)\" = top-secret")
        .await;
    let staged = rig.diff_under(
        Default::default(),
        "r",
        abxd_capabilities::git::DiffOptions { staged: true, ..crate::rig::working() },
    );
    let shown = format!("{:?}", staged.await);
    assert!(!shown.contains("top-secret"), "{shown}");
}

/// Settings that are swapped all the time: what was read is not what is there when git looks.
#[tokio::test]
async fn settings_that_change_meanwhile_run_nothing() {
    let rig = Rig::new();
    rig.repository("r").await;
    let trap = rig.trap();
    let swap = format!(
        "cd r; cp .git/config good; cp good bad; for k in core.fsmonitor diff.external; do git config --file bad $k {}; done; \
         while ! test -e stop; do cp good t; mv t .git/config; cp bad t; mv t .git/config; done",
        trap.program
    );
    let looks = async {
        for _ in 0..60 {
            rig.status("r").await.unwrap();
            rig.diff("r").await;
        }
        fs::write(rig.work().join("r/stop"), "").unwrap();
    };
    tokio::join!(rig.sh(&swap), looks);
    assert_eq!(trap.sprung(), None);
}
