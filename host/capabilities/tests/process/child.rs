//! What a child is given (`contract: process §1.5`).

use std::fs;
use std::os::unix::fs::PermissionsExt;

use abxd_capabilities::process::{RunFailure, StartFailure};
use abxd_guards::process::ProgramFailure;
use rustix::io::Errno;

use crate::rig::{Rig, environment, text};

fn executable(rig: &Rig, name: &str, content: &[u8]) -> String {
    let path = rig.path(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[tokio::test]
async fn it_leads_a_session_and_a_group_and_has_no_terminal() {
    let rig = Rig::new();
    let stat = rig.output("cat /proc/$$/stat").await;
    let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let pid = stat.split(' ').next().unwrap();
    assert_eq!((fields[2], fields[3], fields[4]), (pid, pid, "0"));
}

#[tokio::test]
async fn it_has_exactly_three_descriptors() {
    let rig = Rig::new();
    // Descriptors that a careless library would have left open.
    let leaked: Vec<_> = (0..3).map(|_| rustix::io::dup(fs::File::open("/dev/null").unwrap()).unwrap()).collect();
    assert_eq!(rig.output("ls -1 /proc/$$/fd; true").await, "0\n1\n2\n");
    drop(leaked);
    assert_eq!(rig.output("readlink /proc/$$/fd/0").await, "/dev/null\n");
    assert_eq!(rig.output("cat; echo $?").await, "0\n");
}

#[tokio::test]
async fn its_signals_are_at_their_defaults() {
    let rig = Rig::new();
    // Rust's own runtime ignores SIGPIPE.
    let status = rig.output("cat /proc/self/status").await;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    assert_eq!((field("SigIgn:"), field("SigBlk:")), ("0".repeat(16), "0".repeat(16)));
    assert_eq!(field("SigCgt:"), "0".repeat(16));
}

#[tokio::test]
async fn it_dies_before_the_server_when_memory_is_short() {
    let rig = Rig::new();
    let own: i32 = fs::read_to_string("/proc/self/oom_score_adj").unwrap().trim().parse().unwrap();
    let its: i32 = rig.output("sleep 0.1; cat /proc/self/oom_score_adj").await.trim().parse().unwrap();
    assert!(its > own && its <= 1000, "{its} over {own}");
}

#[tokio::test]
async fn it_inherits_the_environment_less_the_secrets() {
    let rig = Rig::new();
    let set = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
        let judged = abxd_guards::environment::EnvGuard::default().check(pairs).unwrap();
        let rule = abxd_guards::environment::VariableRule::default();
        rig.supervisor.environment().set(judged.for_server(&Default::default(), &rule).unwrap()).unwrap();
    };
    set(&[("SECRET_ONE", "s3cret"), ("PLAIN", "one"), ("OTHER", "two")]);
    let mut launch = rig.launch(&["env"]);
    launch.environment = environment(&[("OTHER", "three"), ("LAST", "four")]);
    let shown = text(&rig.run(launch).await.unwrap().stdout);
    let lines: Vec<_> = shown.lines().collect();
    assert!(lines.ends_with(&["PLAIN=one", "OTHER=three", "LAST=four"]), "{shown}");
    assert!(!shown.contains("s3cret"));
    assert!(lines.iter().any(|line| line.starts_with("PATH=")));
}

#[tokio::test]
async fn a_script_runs_by_its_path_and_a_binary_by_what_was_checked() {
    let rig = Rig::new();
    let script = executable(&rig, "script", b"#!/bin/sh\necho \"$0 $1\"\n");
    let done = rig.run(rig.launch(&["./script", "arg"])).await.unwrap();
    assert_eq!(text(&done.stdout), format!("{script} arg\n"));

    let real = std::path::Path::new("/usr/bin/printf").canonicalize().unwrap();
    let binary = executable(&rig, "binary", &fs::read(real).unwrap());
    let launch = rig.launch(&["./binary", "checked"]);
    // Another program takes its place after the check.
    fs::remove_file(&binary).unwrap();
    executable(&rig, "binary", b"#!/bin/sh\necho planted\n");
    assert_eq!(text(&rig.run(launch).await.unwrap().stdout), "checked");
}

#[tokio::test]
async fn a_script_that_was_replaced_after_the_check_does_not_run() {
    let rig = Rig::new();
    executable(&rig, "script", b"#!/bin/sh\necho checked\n");
    let launch = rig.launch(&["./script"]);
    fs::rename(rig.path("script"), rig.path("aside")).unwrap();
    executable(&rig, "script", b"#!/bin/sh\necho planted\n");
    let failure = rig.run(launch).await.unwrap_err();
    assert_eq!(failure, RunFailure::Start(StartFailure::Os(Errno::STALE)));
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let rig = Rig::new();
    executable(&rig, "plain", b"echo no interpreter\n");
    executable(&rig, "lost", b"#!/nowhere/interpreter\n");
    fs::write(rig.path("closed"), "#!/bin/sh\n").unwrap();
    let cases = [
        ("nosuchcmd", StartFailure::Program(ProgramFailure::Missing)),
        ("./plain", StartFailure::Os(Errno::NOEXEC)),
        ("./lost", StartFailure::Program(ProgramFailure::Missing)),
        ("./closed", StartFailure::Program(ProgramFailure::NotExecutable)),
    ];
    for (word, failure) in cases {
        assert_eq!(rig.run(rig.launch(&[word])).await.unwrap_err(), RunFailure::Start(failure), "{word}");
    }
    let mut launch = rig.launch(&["true"]);
    launch.environment = environment(&[("HUGE", &"x".repeat(3_000_000))]);
    assert_eq!(rig.run(launch).await.unwrap_err(), RunFailure::Start(StartFailure::Os(Errno::TOOBIG)));
}
