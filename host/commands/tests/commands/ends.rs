//! Interpreters that end, and their successors.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::rig::{PATIENCE, Rig, call, raised};

const COMMANDS: &str = r#"
import os, time
from agent_sandbox.server import command

open(STARTS, "a").write("x")
state = []

@command()
def pid(): return os.getpid()

@command()
def wait():
    open(WAITING, "w").close()
    time.sleep(60)

@command()
def kept():
    state.append(1)
    return len(state)
"#;

fn commands(rig: &Rig) -> String {
    let quoted = |name: &str| format!("{:?}", rig.path(name).display().to_string());
    COMMANDS.replace("STARTS", &quoted("starts")).replace("WAITING", &quoted("waiting"))
}

fn kill(pid: i64) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_killed_fails_its_calls_and_has_a_successor() {
    let rig = Rig::new();
    let loaded = rig.python(&commands(&rig)).await;
    assert_eq!(call(&loaded, "kept", &[]).await.unwrap(), 1);
    assert_eq!(call(&loaded, "kept", &[]).await.unwrap(), 2);
    let pid = call(&loaded, "pid", &[]).await.unwrap().as_i64().unwrap();
    let waiting = rig.path("waiting");
    let (broken, ()) = tokio::join!(call(&loaded, "wait", &[]), async {
        until("the call has begun", || waiting.exists()).await;
        kill(pid);
    });
    let (class, text) = raised(broken.unwrap_err());
    assert_eq!((&*class, &*text), ("RuntimeError", "the Python worker was ended by signal 9"));
    // A new module, from the text that was read at the start.
    assert_eq!(call(&loaded, "kept", &[]).await.unwrap(), 1);
    assert_ne!(call(&loaded, "pid", &[]).await.unwrap(), json!(pid));
    assert_eq!(std::fs::read_to_string(rig.path("starts")).unwrap(), "xx");
}

/// Calls that were not begun are given to the next worker, also while it keeps being killed.
#[tokio::test(flavor = "multi_thread")]
async fn later_calls_work_however_soon_they_come() {
    let rig = Rig::new();
    let loaded = rig.python(&commands(&rig)).await;
    for _ in 0..3 {
        let pid = call(&loaded, "pid", &[]).await.unwrap().as_i64().unwrap();
        kill(pid);
        let next = call(&loaded, "pid", &[]).await;
        match next {
            Ok(next) => assert_ne!(next, json!(pid)),
            // The signal may come after the call was begun.
            Err(failure) => assert!(raised(failure).1.contains("signal 9")),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_is_not_read_again() {
    let rig = Rig::new();
    let loaded = rig.python(&commands(&rig)).await;
    rig.file("commands.py", "raise SystemExit(9)\n");
    let pid = call(&loaded, "pid", &[]).await.unwrap().as_i64().unwrap();
    kill(pid);
    let mut answer = call(&loaded, "kept", &[]).await;
    if answer.is_err() {
        answer = call(&loaded, "kept", &[]).await;
    }
    assert_eq!(answer.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_successor_that_does_not_load_says_why() {
    let rig = Rig::new();
    let flag = rig.path("flag").display().to_string();
    let loaded = rig
        .python(&format!(
            "import os\nfrom agent_sandbox.server import command\nif os.path.exists({flag:?}): raise ValueError('second')\n\
             command('pid')(os.getpid)\ncommand('gone')(lambda: os._exit(1))\n"
        ))
        .await;
    std::fs::write(&flag, "").unwrap();
    call(&loaded, "gone", &[]).await.unwrap_err();
    let (class, text) = raised(call(&loaded, "pid", &[]).await.unwrap_err());
    assert_eq!(class, "RuntimeError");
    assert!(
        text.starts_with("the Python worker does not start again: --commands") && text.ends_with("second"),
        "{text}"
    );
    std::fs::remove_file(&flag).unwrap();
    let end = Instant::now() + PATIENCE;
    while call(&loaded, "pid", &[]).await.is_err() {
        assert!(Instant::now() < end, "it is tried again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_ends_with_the_registry() {
    let rig = Rig::new();
    let loaded = rig.python(&commands(&rig)).await;
    let pid = call(&loaded, "pid", &[]).await.unwrap().as_i64().unwrap();
    let proc = format!("/proc/{pid}/stat");
    assert!(std::fs::exists(&proc).unwrap());
    drop(loaded);
    until("the worker is gone", || !std::fs::exists(&proc).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_starts_again_once_the_supervisor_has_shut_down() {
    let rig = Rig::new();
    let loaded = rig.python(&commands(&rig)).await;
    let pid = call(&loaded, "pid", &[]).await.unwrap().as_i64().unwrap();
    rig.host.supervisor.shutdown().await;
    assert!(!std::fs::exists(format!("/proc/{pid}/stat")).unwrap());
    let (class, text) = raised(call(&loaded, "pid", &[]).await.unwrap_err());
    assert_eq!(class, "RuntimeError");
    assert!(text.contains("shutting down") || text.contains("signal 15"), "{text}");
    assert_eq!(std::fs::read_to_string(rig.path("starts")).unwrap(), "x");
}
