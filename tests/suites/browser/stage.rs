//! A server with the browser group on, and a site for its pages.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::processes::{self, Process, command_line};
use crate::harness::{Answer, Server, Setup, wait};
use crate::site::Site;

/// Server and site.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) site: Site,
}

impl Stage {
    /// A server without a policy.
    #[track_caller]
    pub(crate) fn new() -> Self {
        Self::of(setup())
    }

    /// A server whose `browser_navigate` has these parameters.
    #[track_caller]
    pub(crate) fn with_params(params: &Value) -> Self {
        Self::of(setup().policy(&json!({"endpoints": {"browser_navigate": {"params": params}}})))
    }

    #[track_caller]
    pub(crate) fn of(setup: Setup) -> Self {
        let site = Site::open();
        Self { server: setup.start(), site }
    }

    #[track_caller]
    pub(crate) fn post(&self, name: &str, body: &Value) -> Answer {
        self.server.post(&format!("/browser/{name}"), body)
    }

    /// Load an address, up to its `load` event.
    #[track_caller]
    pub(crate) fn navigate(&self, url: &str) -> Answer {
        self.post("navigate", &json!({"url": url, "wait_until": "load"}))
    }

    /// Load a path of the site.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) -> Value {
        self.navigate(&self.site.url(path)).ok()
    }

    /// Load a page with this body.
    #[track_caller]
    pub(crate) fn show(&self, body: &str) {
        self.site.html("/", &format!("<!DOCTYPE html><title>Home</title><body>{body}</body>"));
        self.go("/");
    }

    /// A script's value.
    #[track_caller]
    pub(crate) fn eval(&self, script: &str) -> Value {
        self.post("evaluate", &json!({"script": script, "timeout": 30_000})).ok()["result"].clone()
    }

    /// Wait until a script's value is this.
    #[track_caller]
    pub(crate) fn until(&self, script: &str, value: &Value) {
        wait::until_true(script, || self.eval(script) == *value);
    }

    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.post("click", &json!({"selector": selector, "timeout": 30_000})).ok();
    }

    #[track_caller]
    pub(crate) fn type_text(&self, selector: &str, text: &str) {
        self.post("type", &json!({"selector": selector, "text": text, "delay": 0})).ok();
    }

    #[track_caller]
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.server.call(&self.server.request("GET", &format!("/browser/{target}")))
    }

    /// The page's text.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        self.get("content?type=text").ok()["content"].as_str().unwrap().to_owned()
    }

    /// The page's address.
    #[track_caller]
    pub(crate) fn address(&self) -> String {
        self.eval("location.href").as_str().unwrap().to_owned()
    }

    /// Texts of the console, once there are so many.
    #[track_caller]
    pub(crate) fn console(&self, count: usize) -> Vec<Value> {
        let mut all = Vec::new();
        wait::until_true("the console has it all", || {
            all.extend(self.get("console").ok()["logs"].as_array().unwrap().clone());
            all.len() >= count
        });
        all
    }

    /// The processes of this server's browser that are the browser itself.
    pub(crate) fn browsers(&self) -> Vec<u32> {
        let is_main = |pid: &u32| {
            let line = command_line(*pid);
            line.iter().any(|word| word.starts_with("--user-data-dir="))
                && !line.iter().any(|word| word.starts_with("--type="))
        };
        self.tree().iter().map(|process| process.pid).filter(is_main).collect()
    }

    /// The one browser.
    #[track_caller]
    pub(crate) fn browser(&self) -> u32 {
        let browsers = self.browsers();
        assert_eq!(browsers.len(), 1, "{:#?}", self.tree());
        browsers[0]
    }

    /// Every process below the server.
    pub(crate) fn tree(&self) -> Vec<Process> {
        processes::descendants(self.server.pid())
    }

    /// Renderers, the one of this page among them.
    pub(crate) fn renderers(&self) -> Vec<u32> {
        let is_one = |pid: &u32| command_line(*pid).iter().any(|word| word.contains("--type=renderer"));
        self.tree().iter().map(|process| process.pid).filter(is_one).collect()
    }

    /// Folders of browsers' profiles.
    pub(crate) fn profiles(&self) -> Vec<PathBuf> {
        let folders = |place: PathBuf| {
            let entries = std::fs::read_dir(place).into_iter().flatten();
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
        };
        let scratch = folders(self.server.place("home")).into_iter().flat_map(folders);
        scratch.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("browser-")).collect()
    }
}

/// A server with the group on.
#[track_caller]
pub(crate) fn setup() -> Setup {
    let setup = Setup::new().env("ABX_SERVER_ENABLED_GROUPS", "browser");
    match std::env::var_os("ABX_BROWSER_BIN") {
        Some(program) => setup.env("ABX_BROWSER_BIN", program),
        None => setup,
    }
}

/// Base64 of an answer's member.
#[track_caller]
pub(crate) fn bytes(answer: &Value, member: &str) -> Vec<u8> {
    STANDARD.decode(answer[member].as_str().unwrap()).unwrap()
}

/// Width and height of a PNG.
#[track_caller]
pub(crate) fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// End a process as a crash would.
#[track_caller]
pub(crate) fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
