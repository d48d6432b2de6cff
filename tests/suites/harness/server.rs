//! A running server.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;

use super::log::Log;
use super::setup::Setup;
use super::{Answer, Connection, Request, namespace, processes, wait};

/// A server with its folders. Dropping it kills it and whatever it was started through.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) pty_port: u16,
    pub(crate) log: Log,
    token: Option<String>,
    folder: Arc<TempDir>,
}

impl Server {
    #[track_caller]
    pub(super) fn start(setup: &Setup) -> Self {
        let mut command = setup.program.command();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut child = wait::spawned(&mut command);
        let log = Log::of(child.stderr.take().unwrap());
        let Setup { port, pty_port, token, folder, .. } = setup.clone();
        let mut server = Self { child, port, pty_port, log, token, folder };
        wait::until("the server answers", || {
            if let Some(status) = server.child.try_wait().unwrap() {
                panic!("the server ended, {status}: {:#?}", server.log.whole());
            }
            let mut connection = Connection::try_open(port).ok()?;
            (connection.call(&Request::new("GET", "/health")).status == 200).then_some(())
        });
        server
    }

    /// The boundary of every path.
    pub(crate) fn base(&self) -> PathBuf {
        self.place("base")
    }

    /// A folder that no request may see.
    pub(crate) fn outside(&self) -> PathBuf {
        self.place("outside")
    }

    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The process that was started: the server, unless it was started through another program.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The server, where it was started [`with_pid_1`](Setup::with_pid_1).
    #[track_caller]
    pub(crate) fn inner_pid(&self) -> u32 {
        let outer = self.pid();
        if namespace::words().is_none() {
            return outer;
        }
        let children = std::fs::read_to_string(format!("/proc/{outer}/task/{outer}/children")).unwrap();
        let inner = children.trim().parse().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{inner}/status")).unwrap();
        let pids = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap();
        assert_eq!(pids.split_whitespace().last(), Some("1"), "not PID 1: {pids}");
        inner
    }

    /// Run a script that the server has not started where the server is PID 1, to its end: in a session of its own, as
    /// runtimes of containers do. Without namespaces there are no such strangers, and nothing is run.
    #[track_caller]
    pub(crate) fn run_beside(&self, script: &str) {
        if let Some(mut command) = namespace::enter(self.inner_pid()) {
            command.args(["setsid", "--wait", "sh", "-c", script]);
            assert!(command.status().unwrap().success(), "{command:?}");
        }
    }

    /// A request with the server's token, if it has one.
    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        let request = Request::new(method, target);
        match &self.token {
            Some(token) => request.bearer(token),
            None => request,
        }
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.port)
    }

    /// Send a request on a connection of its own.
    #[track_caller]
    pub(crate) fn call(&self, request: &Request) -> Answer {
        self.connect().call(request)
    }

    /// `GET` with one query parameter, `path`.
    #[track_caller]
    pub(crate) fn get(&self, target: &str, path: impl AsRef<std::path::Path>) -> Answer {
        self.call(&self.request("GET", target).query("path", path.as_ref().as_os_str().as_encoded_bytes()))
    }

    /// `POST` with a JSON body.
    #[track_caller]
    pub(crate) fn post(&self, target: &str, body: &serde_json::Value) -> Answer {
        self.call(&self.request("POST", target).json(body))
    }

    /// Run a command to its end.
    #[track_caller]
    pub(crate) fn shell(&self, command: &str) -> Answer {
        self.post("/shell", &serde_json::json!({ "command": command }))
    }

    /// Start a command in the background; its number. `options` are more members of the body.
    #[track_caller]
    pub(crate) fn process(&self, command: &str, options: &serde_json::Value) -> u64 {
        let mut body = serde_json::json!({ "command": command });
        body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        self.post("/process/start", &body).ok()["pid"].as_u64().unwrap()
    }

    /// Store a file as raw bytes.
    #[track_caller]
    pub(crate) fn upload(&self, path: impl AsRef<std::path::Path>, content: impl Into<Vec<u8>>) -> Answer {
        let request = self.request("POST", "/upload").header("Content-Type", "application/octet-stream");
        self.call(&request.query("path", path.as_ref().as_os_str().as_encoded_bytes()).body(content))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.number(), signal).unwrap();
    }

    /// Wait for its end.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        wait::until("the server ends", || self.child.try_wait().unwrap())
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Stop it as an operator does; the whole of its log.
    #[track_caller]
    pub(crate) fn stop(mut self) -> Vec<String> {
        self.signal(Signal::TERM);
        let status = self.ended();
        let log = self.log.whole();
        assert_eq!(status.code(), Some(0), "{log:#?}");
        log
    }

    fn number(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // What it started has groups of its own, and would outlive it. Stopped, it starts nothing more meanwhile.
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            let _ = kill_process(self.number(), Signal::STOP);
            for child in processes::descendants(self.pid()) {
                let _ = Pid::from_raw(i32::try_from(child.pid).unwrap()).map(|pid| kill_process(pid, Signal::KILL));
            }
        }
        // The group, since a program it was started through does not end with it.
        let _ = kill_process_group(self.number(), Signal::KILL);
        let _ = self.child.wait();
    }
}
