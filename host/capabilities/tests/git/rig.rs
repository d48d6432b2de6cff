//! A folder for repositories, scripts that make them, and git as the server runs it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::git::{DiffOptions, Git, GitFailure, Patch, Pathspec, Stages, WorkingTree};
use abxd_capabilities::process::{
    ChildEnvironment, Directory, Environment, Launch, RunOptions, Settings, Supervisor, Variables,
};
use abxd_glob::DenyPattern;
use abxd_guards::environment::{EnvGuard, SecretNames, VariableRule};
use abxd_guards::path::{Access, PathGuard, PathRule, Protected};
use abxd_guards::process::ProcessGuard;

/// Far beyond what any script takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Rig {
    supervisor: Supervisor,
    programs: Arc<ProcessGuard>,
    git: Git,
    _folder: tempfile::TempDir,
    pub(crate) top: PathBuf,
}

/// What stands in each script: errors end it, and nobody's settings count.
const PREAMBLE: &str = "set -e; export GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; ";

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With more variables in the server's environment.
    pub(crate) fn with(variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for name in ["bin", "home", "scratch", "work"] {
            fs::create_dir(top.join(name)).unwrap();
        }
        let search = OsString::from(format!("{}:{}", top.join("bin").display(), std::env::var("PATH").unwrap()));
        let given = variables.iter().map(|(name, value)| (name.into(), value.into()));
        let environment: Environment = [("PATH".into(), search.clone()), ("HOME".into(), top.join("home").into())]
            .into_iter()
            .chain(given)
            .collect();
        let supervisor = Supervisor::start(environment, Settings::new(top.join("scratch"))).unwrap();
        // Its end would be that of all children, also those of tests that run beside this one.
        std::mem::forget(supervisor.clone());
        let programs = Arc::new(ProcessGuard::new(&search, &top));
        let scratch: Arc<Path> = top.join("scratch").into();
        let git = Git::new(supervisor.clone(), Arc::clone(&programs), Stages::new(scratch));
        Self { supervisor, programs, git, _folder: folder, top }
    }

    /// The folder of repositories, which is the boundary too.
    pub(crate) fn work(&self) -> PathBuf {
        self.top.join("work")
    }

    /// Runs a script in the folder of repositories; what it prints.
    pub(crate) async fn sh(&self, script: &str) -> String {
        let argv = vec!["bash".to_owned(), "-c".to_owned(), format!("{PREAMBLE}{script}")];
        let variables: Variables = self.supervisor.environment().snapshot().to_vec();
        let launch = Launch {
            program: self.programs.check(&argv, Path::new("/")).unwrap(),
            argv,
            directory: Directory::Open(fs::File::open(self.work()).unwrap().into()),
            environment: ChildEnvironment::Exactly(variables),
        };
        let options = RunOptions { timeout: PATIENCE, most_output: None };
        let done = self.supervisor.run(launch, options, std::future::pending()).await.unwrap();
        let text =
            |captured: abxd_capabilities::process::Captured| String::from_utf8(captured.text.read().unwrap()).unwrap();
        assert!(done.exit.is_success(), "{script}: {}", text(done.stderr));
        text(done.stdout)
    }

    /// A repository with two files in its only commit.
    pub(crate) async fn repository(&self, name: &str) {
        self.sh(&format!(
            "git init -q -b main {name}; cd {name}; printf 'one\\ntwo\\n' > a.txt; printf 'x\\n' > b.txt; git add .; \
             git commit -qm init"
        ))
        .await;
    }

    pub(crate) fn guard(&self, rule: PathRule) -> Arc<PathGuard> {
        PathGuard::new(rule, &self.work(), &self.work(), Arc::new(Protected::nothing()))
    }

    pub(crate) async fn status_under(&self, rule: PathRule, path: &str) -> Result<WorkingTree, GitFailure> {
        let guard = self.guard(rule);
        let checked = guard.check(self.work().join(path).as_os_str().as_bytes(), Access::Read).unwrap();
        self.git.status(&guard, checked, 1000).await
    }

    pub(crate) async fn status(&self, path: &str) -> Result<WorkingTree, GitFailure> {
        self.status_under(PathRule::default(), path).await
    }

    /// Each change as git's short format has it.
    pub(crate) async fn lines(&self, path: &str) -> Vec<String> {
        lines(&self.status(path).await.unwrap())
    }

    pub(crate) async fn diff_under(
        &self,
        rule: PathRule,
        path: &str,
        options: DiffOptions,
    ) -> Result<Patch, GitFailure> {
        let guard = self.guard(rule);
        let checked = guard.check(self.work().join(path).as_os_str().as_bytes(), Access::Read).unwrap();
        self.git.diff(&guard, checked, options).await
    }

    pub(crate) async fn diff(&self, path: &str) -> Patch {
        self.diff_under(PathRule::default(), path, working()).await.unwrap()
    }

    pub(crate) async fn staged(&self, path: &str) -> Patch {
        self.diff_under(PathRule::default(), path, DiffOptions { staged: true, ..working() }).await.unwrap()
    }

    /// A program that is found before all others of its name.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.top.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Sets variables, as a request does.
    pub(crate) fn set(&self, variables: &[(&str, &str)]) {
        let pairs = variables.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
        let judged = EnvGuard::default().check(pairs).unwrap();
        let checked = judged.for_server(&SecretNames::default(), &VariableRule::default()).unwrap();
        self.supervisor.environment().set(checked).unwrap();
    }

    /// What is left in the folder for stages.
    pub(crate) fn left(&self) -> usize {
        fs::read_dir(self.top.join("scratch")).unwrap().count()
    }

    /// A program that leaves a mark, and the mark.
    pub(crate) fn trap(&self) -> Trap {
        let (program, mark) = (self.top.join("trap"), self.top.join("mark"));
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", mark.display());
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Trap { program: program.display().to_string(), mark }
    }
}

/// A program that nothing may run.
pub(crate) struct Trap {
    pub(crate) program: String,
    mark: PathBuf,
}

impl Trap {
    /// Who ran it.
    pub(crate) fn sprung(&self) -> Option<String> {
        fs::read_to_string(&self.mark).ok()
    }
}

/// The working tree against the index, all files, with room for everything.
pub(crate) const fn working() -> DiffOptions {
    DiffOptions { staged: false, only: None, most: 1 << 20 }
}

pub(crate) fn only(text: &str, literal: bool) -> DiffOptions {
    DiffOptions { only: Some(Pathspec { text: text.into(), literal }), ..working() }
}

pub(crate) fn denying(patterns: &[&str]) -> PathRule {
    let deny = patterns.iter().map(|pattern| DenyPattern::parse(pattern).unwrap()).collect();
    PathRule { deny, ..PathRule::default() }
}

pub(crate) fn lines(tree: &WorkingTree) -> Vec<String> {
    let line = |change: &abxd_capabilities::git::Change| {
        let old = change.old_path.as_ref().map(|old| format!(" <- {}", old.display())).unwrap_or_default();
        let letters = [change.index, change.work_tree].map(char::from);
        format!("{}{} {}{old}", letters[0], letters[1], change.path.display())
    };
    tree.changes.iter().map(line).collect()
}
