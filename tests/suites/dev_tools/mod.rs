//! Group `dev_tools` over HTTP.

mod code;
mod git;
mod planted;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

/// A server with the group, which is off by default.
pub(crate) fn enabled() -> Setup {
    Setup::new().env("ABX_SERVER_ENABLED_GROUPS", "dev_tools").env("GIT_CONFIG_SYSTEM", "/dev/null")
}

/// The same with rules for one of its endpoints.
pub(crate) fn ruled(endpoint: &str, rule: &Value) -> Setup {
    enabled().policy(&json!({"endpoints": {endpoint: rule}}))
}

/// Run code; `options` are more members of the body.
#[track_caller]
pub(crate) fn run(server: &Server, language: &str, code: &str, options: &Value) -> Answer {
    let mut body = json!({"language": language, "code": code});
    body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    server.post("/code/run", &body)
}

/// A shell script in the boundary, outside of the server.
#[track_caller]
pub(crate) fn script(server: &Server, script: &str) {
    let whole = format!(
        "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
         GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; {script}"
    );
    let done = std::process::Command::new("bash").arg("-c").arg(&whole).current_dir(server.base()).output().unwrap();
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository `r` with two files in its only commit.
#[track_caller]
pub(crate) fn repository(server: &Server) {
    script(
        server,
        "git init -q -b main r; cd r; printf 'one\\ntwo\\n' > a.txt; printf 'x\\n' > b.txt; git add .; git commit -qm init",
    );
}
