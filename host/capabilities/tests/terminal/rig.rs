//! A table of terminals for one test, and a client that reads and types.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use abxd_capabilities::process::{ChildEnvironment, Directory, Environment, Exit, Launch, Settings, Supervisor};
use abxd_capabilities::terminal::{Attachment, Caller, IDLE, MOST, OpenFailure, Shown, Size, Terminal, Terminals};
use abxd_guards::environment::{EnvGuard, SecretNames};
use abxd_guards::process::ProcessGuard;

/// Within it, everything has to have happened.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const SIZE: Size = Size { cols: 91, rows: 17 };

pub(crate) struct Rig {
    pub(crate) terminals: Terminals,
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) fn caller(id: &str) -> Caller {
    Caller { id: id.into(), sees_all: false }
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::idle_after(IDLE)
    }

    pub(crate) fn idle_after(idle: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let supervisor = Supervisor::start(Environment::inherited(), Settings::new(folder.path().to_owned())).unwrap();
        Self { terminals: Terminals::new(supervisor, idle), folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A shell whose history nobody sees.
    pub(crate) fn launch(&self, shell: &str) -> Launch {
        let argv = vec![shell.to_owned()];
        let pairs = [("HISTFILE", ""), ("HOME", "/nonexistent"), ("TERM", "xterm-256color")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
        let judged = EnvGuard::default().check(pairs).unwrap();
        Launch {
            program: ProcessGuard::new("/bin".as_ref(), self.folder.path()).check(&argv, self.folder.path()).unwrap(),
            argv,
            directory: Directory::Open(fs::File::open(self.folder.path()).unwrap().into()),
            environment: ChildEnvironment::Inherit {
                hidden: Arc::default(),
                extra: judged.for_child::<&str>(&SecretNames::default(), &[]).unwrap(),
            },
        }
    }

    pub(crate) async fn try_open(&self, owner: &str, most: usize) -> Result<Terminal, OpenFailure> {
        self.terminals.open(&caller(owner), self.launch("/bin/bash"), SIZE, most).await
    }

    pub(crate) async fn open(&self) -> Terminal {
        self.try_open("me", MOST).await.unwrap()
    }

    pub(crate) fn attach(&self, terminal: &Terminal) -> Client {
        Client { attachment: self.terminals.attach(&caller("me"), &terminal.id).unwrap(), seen: String::new() }
    }

    /// A session with bash, and its first client, at the prompt.
    pub(crate) async fn bash(&self) -> (Terminal, Client) {
        let terminal = self.open().await;
        let mut client = self.attach(&terminal);
        client.begins().await;
        (terminal, client)
    }

    pub(crate) async fn close(&self, terminal: &Terminal) -> bool {
        soon("the close", self.terminals.close(&caller("me"), &terminal.id)).await
    }
}

/// A client, and what it has seen and not looked past.
pub(crate) struct Client {
    pub(crate) attachment: Attachment,
    pub(crate) seen: String,
}

impl Client {
    pub(crate) async fn types(&self, text: &str) {
        soon("to be typed", self.attachment.type_in(text.as_bytes())).await;
    }

    pub(crate) async fn next(&self) -> Shown {
        soon("something to see", self.attachment.next()).await
    }

    /// Waits for a text and looks past it.
    pub(crate) async fn sees(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            assert!(Instant::now() < end, "{text:?} is not in {:?}", self.seen);
            match tokio::time::timeout(PATIENCE, self.attachment.next()).await {
                Ok(Shown::Output(bytes)) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Ok(Shown::End(exit)) => panic!("{exit:?} before {text:?}: {:?}", self.seen),
                Err(_) => panic!("{text:?} is not in {:?}", self.seen),
            }
        }
    }

    /// Makes the prompt `$ `, whatever the machine's files make it.
    pub(crate) async fn begins(&mut self) {
        self.types("PS1='$ '; echo be''gin\n").await;
        self.sees("begin\r\n").await;
        self.sees("$ ").await;
    }

    /// Runs a command line, and waits until it is over.
    pub(crate) async fn runs(&mut self, line: &str) {
        self.types(&format!("{line}; echo 'do''ne'\n")).await;
        self.sees("done\r\n").await;
    }

    /// Everything up to the end.
    pub(crate) async fn end(&mut self) -> Exit {
        loop {
            match self.next().await {
                Shown::Output(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Shown::End(exit) => return exit,
            }
        }
    }
}

pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(done) => done,
        Err(_) => panic!("waited {} s: {what}", PATIENCE.as_secs()),
    }
}

/// Waits for a condition.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A number of seconds that no other `sleep` on the machine has: how a process is found again.
pub(crate) fn marker() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}.{}", 200_000 + std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Processes that have this word among their arguments.
pub(crate) fn with_word(word: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let has = |pid: &i32| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|found| found == word.as_bytes()))
    };
    processes.filter(has).collect()
}
