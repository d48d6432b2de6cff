//! What a session is, who sees it, and how many there may be.

use std::time::Duration;

use abxd_capabilities::process::StartFailure;
use abxd_capabilities::terminal::{Caller, MOST, OpenFailure, Size};
use abxd_guards::process::ProgramFailure;

use crate::rig::{Rig, SIZE, caller, marker, soon, until, with_word};

#[tokio::test]
async fn the_shell_has_a_terminal_of_the_size_that_controls_its_session() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    assert_eq!((terminal.size, terminal.alive), (SIZE, true));
    assert!(terminal.id.len() == 12 && terminal.id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    client.types("stty size; echo $$; tty; ps -o tty= -p $$\n").await;
    client.sees("17 91\r\n").await;
    client.sees(&format!("{}\r\n", terminal.pid)).await;
    client.sees("/dev/pts/").await;
    // What controls the session, not only what its descriptors are.
    client.sees("pts/").await;
    client.runs("sleep 0.01").await;
    assert!(!client.seen.contains("job control"), "{:?}", client.seen);
}

#[tokio::test]
async fn a_plain_shell_has_job_control_too() {
    let rig = Rig::new();
    let terminal = rig.terminals.open(&caller("me"), rig.launch("/bin/sh"), SIZE, MOST).await.unwrap();
    let mut client = rig.attach(&terminal);
    client.begins().await;
    let number = marker();
    client.types(&format!("sleep {number}\n")).await;
    until("the program runs", || !with_word(&number).is_empty()).await;
    client.types("\x03").await;
    client.runs("true").await;
    assert_eq!(with_word(&number), [0; 0]);
}

#[tokio::test]
async fn a_size_is_kept_and_told_to_programs() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    client.runs("trap 'echo re''sized' WINCH").await;
    let size = Size { cols: 132, rows: 43 };
    assert_eq!(rig.terminals.resize(&caller("me"), &terminal.id, size).unwrap().size, size);
    client.types("\n").await;
    client.sees("resized").await;
    client.types("stty size\n").await;
    client.sees("43 132").await;
    client.attachment.resize(SIZE);
    assert_eq!(rig.terminals.find(&caller("me"), &terminal.id).unwrap().size, SIZE);
}

#[tokio::test]
async fn sessions_of_others_are_not_there() {
    let rig = Rig::new();
    let terminal = rig.try_open("one", MOST).await.unwrap();
    let other = rig.try_open("other", MOST).await.unwrap();
    let (one, everybody) = (caller("one"), Caller { id: "root".into(), sees_all: true });
    let ids = |caller: &Caller| rig.terminals.list(caller).into_iter().map(|terminal| terminal.id).collect::<Vec<_>>();
    assert_eq!(ids(&one), std::slice::from_ref(&terminal.id));
    assert_eq!(ids(&everybody), [terminal.id.clone(), other.id.clone()]);
    assert_eq!(rig.terminals.find(&one, &other.id), None);
    assert_eq!(rig.terminals.resize(&one, &other.id, Size { cols: 1, rows: 1 }), None);
    assert!(rig.terminals.attach(&one, &other.id).is_none());
    assert!(!rig.terminals.close(&one, &other.id).await);
    assert_eq!(rig.terminals.find(&everybody, &other.id).unwrap().size, SIZE);
    assert!(rig.terminals.close(&everybody, &other.id).await);
    assert!(!rig.terminals.close(&everybody, &other.id).await);
}

#[tokio::test]
async fn no_more_than_allowed_are_opened_at_the_same_time() {
    let rig = Rig::new();
    let outcomes = futures_util::future::join_all((0..20).map(|_| rig.try_open("me", 3))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    assert!(outcomes.iter().flat_map(|outcome| outcome.as_ref().err()).all(|why| matches!(why, OpenFailure::Full)));
    for _ in 3..MOST {
        rig.try_open("other", 1000).await.unwrap();
    }
    assert!(matches!(rig.try_open("me", 1000).await, Err(OpenFailure::Full)));
    // One that is closed, and one that has ended, make room.
    let [closed, ended, ..] = &rig.terminals.list(&caller("me"))[..] else { panic!("there are three") };
    assert!(rig.close(closed).await);
    rig.try_open("me", 1000).await.unwrap();
    let client = rig.attach(ended);
    client.types("exit\n").await;
    until("the shell ends", || rig.terminals.find(&caller("me"), &ended.id).is_some_and(|found| !found.alive)).await;
    rig.try_open("me", 1000).await.unwrap();
    assert_eq!(rig.terminals.find(&caller("me"), &ended.id), None);
}

#[tokio::test]
async fn a_failed_start_leaves_its_place() {
    let rig = Rig::new();
    for _ in 0..3 {
        let failed = rig.terminals.open(&caller("me"), rig.launch("/bin/no-such-shell"), SIZE, 1).await;
        assert!(matches!(failed, Err(OpenFailure::Start(StartFailure::Program(ProgramFailure::Missing)))));
    }
    rig.try_open("me", 1).await.unwrap();
}

#[tokio::test]
async fn a_list_drops_the_ended_ones_that_its_caller_sees() {
    let rig = Rig::new();
    let (mine, client) = rig.bash().await;
    let other = rig.try_open("other", MOST).await.unwrap();
    client.types("exit\n").await;
    until("the shell ends", || rig.terminals.find(&caller("me"), &mine.id).is_some_and(|found| !found.alive)).await;
    assert_eq!(rig.terminals.list(&caller("other")).len(), 1);
    // Still there: that list was somebody else's.
    assert!(rig.terminals.find(&caller("me"), &mine.id).is_some());
    assert_eq!(rig.terminals.list(&caller("me")), []);
    assert_eq!(rig.terminals.find(&caller("me"), &mine.id), None);
    assert!(rig.terminals.find(&caller("other"), &other.id).is_some_and(|found| found.alive));
}

#[tokio::test]
async fn one_that_nobody_uses_is_closed_and_one_with_a_client_is_not() {
    let rig = Rig::idle_after(Duration::from_millis(300));
    let (used, mut client) = rig.bash().await;
    let number = marker();
    client.types(&format!("sleep {number} & echo be''gun\n")).await;
    client.sees("begun").await;
    let unused = rig.open().await;
    let is_there =
        |terminal: &abxd_capabilities::terminal::Terminal| rig.terminals.find(&caller("me"), &terminal.id).is_some();
    until("the unused one is closed", || !is_there(&unused)).await;
    assert!(is_there(&used));
    drop(client);
    until("the other one too", || !is_there(&used)).await;
    until("its jobs end", || with_word(&number).is_empty()).await;
}

#[tokio::test]
async fn nothing_is_left_of_any_after_a_shutdown() {
    let rig = Rig::new();
    let number = marker();
    let mut clients = Vec::new();
    for _ in 0..4 {
        let (_, mut client) = rig.bash().await;
        client.types(&format!("nohup sleep {number} >/dev/null 2>&1 & echo be''gun\n")).await;
        client.sees("begun").await;
        clients.push(client);
    }
    until("all of them run", || with_word(&number).len() == 4).await;
    soon("the end", rig.terminals.shutdown()).await;
    assert_eq!(with_word(&number), [0; 0]);
    for client in &mut clients {
        client.end().await;
    }
    assert_eq!(rig.terminals.list(&caller("me")), []);
    assert!(matches!(rig.try_open("me", MOST).await, Err(OpenFailure::Start(StartFailure::ShuttingDown))));
}
