//! A supervisor for one test, programs to run under it, and looks at the machine's processes.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use abxd_capabilities::process::{
    ChildEnvironment, Directory, Environment, Finished, Launch, RunFailure, RunOptions, Settings, Supervisor,
};
use abxd_guards::environment::EnvGuard;
use abxd_guards::process::ProcessGuard;

/// Within it, everything has to have happened.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Rig {
    pub(crate) supervisor: Supervisor,
    pub(crate) folder: tempfile::TempDir,
    guard: ProcessGuard,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::new(folder.path().to_owned());
        change(&mut settings);
        let search = std::env::var_os("PATH").unwrap();
        Self {
            supervisor: Supervisor::start(Environment::inherited(), settings).unwrap(),
            guard: ProcessGuard::new(&search, folder.path()),
            folder,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program by its words, as the guard admits it.
    pub(crate) fn launch<S: AsRef<str>>(&self, words: &[S]) -> Launch {
        let argv: Vec<_> = words.iter().map(|word| word.as_ref().to_owned()).collect();
        Launch {
            program: self.guard.check(&argv, self.folder.path()).unwrap(),
            argv,
            directory: Directory::Open(fs::File::open(self.folder.path()).unwrap().into()),
            environment: environment(&[]),
        }
    }

    pub(crate) fn shell(&self, script: &str) -> Launch {
        self.launch(&["bash", "-c", script])
    }

    pub(crate) async fn run(&self, launch: Launch) -> Result<Finished, RunFailure> {
        self.supervisor.run(launch, options(PATIENCE), std::future::pending()).await
    }

    /// Runs a script to its end; what it wrote to descriptor 1.
    pub(crate) async fn output(&self, script: &str) -> String {
        text(&self.run(self.shell(script)).await.unwrap().stdout)
    }
}

pub(crate) fn environment(pairs: &[(&str, &str)]) -> ChildEnvironment {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
    let judged = EnvGuard::default().check(pairs).unwrap();
    let extra = judged.for_child::<&str>(&["SECRET_ONE"].into_iter().collect(), &[]).unwrap();
    ChildEnvironment::Inherit { hidden: Arc::new(["SECRET_ONE"].into_iter().collect()), extra }
}

pub(crate) const fn options(timeout: Duration) -> RunOptions {
    RunOptions { timeout, most_output: None }
}

pub(crate) fn text(captured: &abxd_capabilities::process::Captured) -> String {
    String::from_utf8(captured.text.read().unwrap()).unwrap()
}

/// A number of seconds that no other `sleep` on the machine has: how a process is found again.
pub(crate) fn marker() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}.{}", 100_000 + std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Processes that have this word among their arguments.
pub(crate) fn with_word(word: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let has = |pid: &i32| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|found| OsStr::new(word).as_encoded_bytes() == found))
    };
    processes.filter(has).collect()
}

/// Waits for a condition.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
