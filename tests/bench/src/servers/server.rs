//! One running server. It ends when it is dropped.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::ask::ask;
use super::{Bed, ServerError, Subject};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to end by itself.
const GRACE: Duration = Duration::from_secs(5);
/// Between two looks.
const LOOK: Duration = Duration::from_micros(200);
/// One endpoint of each group but `file_ops` that starts nothing: the browser's lacks its argument.
const EACH_GROUP: [(&str, &str); 7] = [
    ("GET", "/commands"),
    ("GET", "/process/list"),
    ("GET", "/pty/sessions"),
    ("GET", "/system/info"),
    ("GET", "/git/status"),
    ("POST", "/browser/navigate"),
    ("GET", "/v1/models"),
];
/// Bytes of a log that a message shows.
const SHOWN: usize = 2000;

/// A server that answers.
#[derive(Debug)]
pub struct Server {
    /// Which one.
    pub subject: Subject,
    /// Where it answers.
    pub address: SocketAddr,
    /// Where its terminals are, if it has any.
    pub terminal: SocketAddr,
    /// From the start of its process to its first answer.
    pub took: Duration,
    child: Child,
}

impl Server {
    /// Start `command` and wait for its first answer to `/health`.
    ///
    /// # Errors
    /// It does not run, or does not answer.
    pub(super) fn start(
        subject: Subject,
        mut command: Command,
        (address, terminal): (SocketAddr, SocketAddr),
        log: &Path,
    ) -> Result<Self, ServerError> {
        let output = File::create(log).map_err(ServerError::files(log))?;
        let errors = output.try_clone().map_err(ServerError::files(log))?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let program = command.get_program().to_owned();
        let begin = Instant::now();
        let child = command.spawn().map_err(ServerError::files(program))?;
        let mut server = Self { subject, address, terminal, took: Duration::ZERO, child };
        while !answers(address) {
            let over = begin.elapsed() > PATIENCE || matches!(server.child.try_wait(), Ok(Some(_)) | Err(_));
            if over {
                let text = fs::read_to_string(log).unwrap_or_default();
                let from = text.len().saturating_sub(SHOWN);
                let log = text.get(from..).unwrap_or(&text).to_owned();
                return Err(ServerError::Silent { subject, seconds: begin.elapsed().as_secs(), log });
            }
            std::thread::sleep(LOOK);
        }
        server.took = begin.elapsed();
        Ok(server)
    }

    /// Call one endpoint of each group, whatever it answers: each component that is there has an instance then.
    ///
    /// # Errors
    /// An answer did not come.
    pub fn call_each_group(&self, bed: &Bed) -> Result<(), ServerError> {
        let stat = bed.target("/files/stat", "stat.txt");
        for (method, target) in EACH_GROUP.into_iter().chain([("GET", stat.as_str())]) {
            ask(self.address, method, target, "").map_err(ServerError::files(target))?;
        }
        Ok(())
    }

    /// Send a small request that has to be granted; the body of its answer.
    ///
    /// # Errors
    /// It was not answered, or not granted.
    pub fn call(&self, method: &str, target: &str, body: &str) -> Result<Vec<u8>, ServerError> {
        let (status, answer) = ask(self.address, method, target, body).map_err(ServerError::files(target))?;
        if status == 200 {
            return Ok(answer);
        }
        let detail = format!("{status}: {}", String::from_utf8_lossy(&answer));
        Err(ServerError::Program { program: target.into(), detail })
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // Where it fails the process has ended.
            let _ = kill_process(pid, Signal::TERM);
        }
        let begin = Instant::now();
        while begin.elapsed() < GRACE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that is free now.
pub(super) fn free_address() -> Result<SocketAddr, ServerError> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    bound.map_err(ServerError::files("a free port"))
}

fn answers(address: SocketAddr) -> bool {
    ask(address, "GET", "/health", "").is_ok_and(|(status, _)| status == 200)
}
