//! A Chromium, and CDP over its pipes: one message out, the reply in.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::FigureError;
use crate::load::Tally;

const PROGRAM: &str = "chromium";

/// Chromium reads commands from descriptor 3 and writes to 4: its own input and output, by way of a shell.
const START: &str = "exec chromium --headless --no-sandbox --disable-dev-shm-usage --disable-gpu --enable-unsafe-swiftshader \
                     --hide-scrollbars --force-color-profile=srgb --no-first-run --disable-background-networking \
                     --remote-debugging-pipe --user-data-dir=\"$1\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";

/// One page of a browser. It ends when it is dropped.
pub(super) struct Bare {
    child: Child,
    commands: ChildStdin,
    replies: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    _profile: TempDir,
}

impl Bare {
    /// Start one whose page a script has filled. `None`: there is no browser.
    pub(super) fn start(fill: &str) -> Result<Option<Self>, FigureError> {
        let there = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        Self::begin(fill).map(Some).map_err(failed)
    }

    fn begin(fill: &str) -> io::Result<Self> {
        let profile = tempfile::Builder::new().prefix("abxd-bench-").tempdir()?;
        let mut command = Command::new("sh");
        command.args(["-c", START, "sh"]).arg(profile.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(commands), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let replies = BufReader::new(replies);
        let mut bare = Self { child, commands, replies, session: None, last: 0, _profile: profile };
        let target = bare.call("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target.get("targetId"), "flatten": true });
        let session = bare.call("Target.attachToTarget", &attach)?;
        bare.session = session.get("sessionId").and_then(Value::as_str).map(str::to_owned);
        let view = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        bare.call("Emulation.setDeviceMetricsOverride", &view)?;
        bare.call("Runtime.evaluate", &json!({ "expression": fill }))?;
        Ok(bare)
    }

    /// One image.
    pub(super) fn screenshot(&mut self) -> Result<(), FigureError> {
        let clip = json!({ "x": 0, "y": 0, "width": 1280, "height": 720, "scale": 1 });
        self.call("Page.captureScreenshot", &json!({ "format": "png", "clip": clip })).map(drop).map_err(failed)
    }

    /// Image after image.
    pub(super) fn repeat(&mut self, time: Duration) -> Result<Tally, FigureError> {
        let begin = Instant::now();
        let mut tally = Tally::default();
        while tally.elapsed < time {
            let before = Instant::now();
            self.screenshot()?;
            tally.latencies.push(before.elapsed());
            tally.elapsed = begin.elapsed();
        }
        Ok(tally)
    }

    fn call(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let (Some(session), Some(message)) = (&self.session, message.as_object_mut()) {
            message.insert("sessionId".to_owned(), json!(session));
        }
        self.commands.write_all(format!("{message}\0").as_bytes())?;
        loop {
            let mut reply = Vec::new();
            if self.replies.read_until(0, &mut reply)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            reply.pop();
            let reply: Value = serde_json::from_slice(&reply)?;
            if reply.get("id").and_then(Value::as_u64) == Some(self.last) {
                return match reply.get("error") {
                    Some(error) => Err(io::Error::other(error.to_string())),
                    None => Ok(reply.get("result").cloned().unwrap_or_default()),
                };
            }
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It ends itself and what it started; where it does not, it is ended.
        let _ = self.call("Browser.close", &json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn failed(cause: io::Error) -> FigureError {
    FigureError::Spawn { program: PROGRAM, cause }
}
