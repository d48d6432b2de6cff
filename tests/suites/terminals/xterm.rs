//! A person at a terminal, by xterm.js in a real browser: typing, sizes, a program that draws, coming again, pasting.
//!
//! What is done and what is to be seen is in `tests/playwright/terminal.mjs`.

use std::process::Command;

use super::Terminal;
use crate::harness::{Outcome, Setup, checkout};

/// It stands in a URL.
const TOKEN: &str = "t0k-of-the-page";

#[test]
#[ignore = "needs Chromium: cargo xtask test-browser"]
fn a_person_at_xterm_js_sees_what_a_terminal_shows() {
    let server = Setup::new().with_token_of(TOKEN).env("LC_ALL", "C.UTF-8").start();
    let terminal = Terminal::open(&server);
    let url = format!("ws://127.0.0.1:{}/pty?session_id={}&token={TOKEN}", server.pty_port, terminal.id);
    let installed = std::env::var_os("ABXD_PLAYWRIGHT").expect("`cargo xtask test-browser` installs xterm.js");
    let mut command = Command::new("node");
    command.arg(checkout().join("tests/playwright/terminal.mjs")).arg(url).arg(server.base());
    let outcome = Outcome::of(command.env("ABXD_PLAYWRIGHT", installed));
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}
