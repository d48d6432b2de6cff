//! What a child is given (`contract: process §1.5`).

use std::ffi::CString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio as Piped};

use abxd_capabilities::process::{Account, AccountError, Directory, RunFailure, StartFailure, Stdio};
use abxd_guards::process::ProgramFailure;
use rustix::io::Errno;

use crate::rig::{PATIENCE, Rig, environment, options, text};

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

#[tokio::test]
async fn a_directory_that_has_gone_or_is_closed_is_told_apart() {
    let rig = Rig::new();
    fs::create_dir(rig.path("gone")).unwrap();
    let mut launch = rig.shell("pwd -P >&2; echo ran");
    launch.directory = Directory::Open(fs::File::open(rig.path("gone")).unwrap().into());
    fs::remove_dir(rig.path("gone")).unwrap();
    // It was entered while it was open; it has no name any more.
    assert_eq!(text(&rig.run(launch).await.unwrap().stdout), "ran\n");

    let mut launch = rig.launch(&["true"]);
    launch.directory = Directory::Open(fs::File::open("/dev/null").unwrap().into());
    assert_eq!(rig.run(launch).await.unwrap_err(), RunFailure::Start(StartFailure::Directory(Errno::NOTDIR)));
}

#[tokio::test]
async fn a_program_that_may_be_run_but_not_read_runs() {
    let rig = Rig::new();
    let real = std::path::Path::new("/usr/bin/printf").canonicalize().unwrap();
    let path = executable(&rig, "closed", &fs::read(real).unwrap());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o111)).unwrap();
    assert_eq!(text(&rig.run(rig.launch(&["./closed", "runs"])).await.unwrap().stdout), "runs");
}

#[tokio::test]
async fn more_descriptors_get_their_numbers_whatever_they_were() {
    let rig = Rig::new();
    let open = |content: &str| -> OwnedFd {
        fs::write(rig.path(content), content).unwrap();
        fs::File::open(rig.path(content)).unwrap().into()
    };
    let (one, two) = (open("one"), open("two"));
    // Each is to have the number that the other has now.
    let (first, second) = (two.as_raw_fd(), one.as_raw_fd());
    let stdio = Stdio { inherit: vec![(one, first), (two, second)], ..Stdio::captured() };
    let launch = rig.shell(&format!("cat <&{first}; cat <&{second}; ls /proc/$$/fd | wc -l; true"));
    let spawned = rig.supervisor.spawn(launch, stdio).await.unwrap();
    let done = rig.supervisor.finish(spawned, options(PATIENCE), std::future::pending()).await.unwrap();
    assert_eq!(text(&done.stdout), "onetwo5\n");
    for wrong in [2, -1] {
        let stdio = Stdio { inherit: vec![(open("x"), wrong)], ..Stdio::captured() };
        let failure = rig.supervisor.spawn(rig.launch(&["true"]), stdio).await.unwrap_err();
        assert_eq!(failure, StartFailure::Os(Errno::INVAL));
    }
}

#[tokio::test]
async fn a_terminal_controls_the_session_and_is_all_three_descriptors() {
    let rig = Rig::new();
    // Somebody who has a terminal, and keeps it until told.
    let code = "import os, pty, sys; _, end = pty.openpty(); print(os.ttyname(end), flush=True); sys.stdin.read()";
    let mut keeper =
        Command::new("python3").args(["-c", code]).stdin(Piped::piped()).stdout(Piped::piped()).spawn().unwrap();
    let mut name = String::new();
    BufReader::new(keeper.stdout.take().unwrap()).read_line(&mut name).unwrap();
    let name = CString::new(name.trim()).unwrap();
    let stdio = Stdio { terminal: Some(name.clone()), ..Stdio::null() };
    let script = "seen=$(for fd in 0 1 2; do readlink /proc/$$/fd/$fd; done; ls /proc/$$/fd); echo \"$seen\" > out; \
                  echo tty > /dev/tty && cut -d' ' -f7 /proc/$$/stat >> out";
    let spawned = rig.supervisor.spawn(rig.shell(script), stdio).await.unwrap();
    assert_eq!(spawned.child.wait().await.code(), 0);
    let out = fs::read_to_string(rig.path("out")).unwrap();
    let name = name.to_str().unwrap();
    assert!(out.starts_with(&format!("{name}\n{name}\n{name}\n0\n1\n2\n")), "{out}");
    assert_ne!(out.lines().last().unwrap(), "0");
    drop(keeper.stdin.take());
    keeper.wait().unwrap();
}

#[tokio::test]
async fn children_can_run_as_somebody_else() {
    if !rustix::process::geteuid().is_root() {
        assert!(matches!(Account::named("nobody"), Err(AccountError::NotRoot)));
        return;
    }
    assert!(matches!(Account::named("no such user"), Err(AccountError::Missing)));
    let account = Account::named("nobody").unwrap();
    let user = account.user().clone();
    let rig = Rig::with(|settings| settings.user = Some(account.user().clone()));
    fs::set_permissions(rig.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let shown = rig.output("id -u; id -g; grep -E '^(CapEff|Groups)' /proc/$$/status").await;
    let lines: Vec<_> = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[..2], [user.id.to_string(), user.group.to_string()]);
    assert_eq!(lines[3], format!("CapEff: {}", "0".repeat(16)));
    fs::create_dir(rig.path("closed")).unwrap();
    fs::set_permissions(rig.path("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    let mut launch = rig.launch(&["true"]);
    launch.directory = Directory::Open(fs::File::open(rig.path("closed")).unwrap().into());
    assert_eq!(rig.run(launch).await.unwrap_err(), RunFailure::Start(StartFailure::Directory(Errno::ACCESS)));
}
