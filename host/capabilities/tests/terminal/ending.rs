//! How sessions end.

use abxd_capabilities::terminal::Shown;

use crate::rig::{Rig, caller, marker, soon, until, with_word};

#[tokio::test]
async fn everything_is_seen_before_the_end() {
    let rig = Rig::new();
    for _ in 0..10 {
        let (_, mut client) = rig.bash().await;
        client.types("seq 1 3000; exit 7\n").await;
        assert_eq!(client.end().await.code(), 7);
        assert!(client.seen.contains("\n2999\r\n3000\r\nexit\r\n"), "{:?}", &client.seen[client.seen.len() - 100..]);
    }
}

#[tokio::test]
async fn the_end_is_told_once_and_to_those_who_come_later_too() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    let mut other = rig.attach(&terminal);
    client.types("echo la''st; kill -9 $$\n").await;
    assert_eq!(client.end().await.code(), -9);
    assert_eq!(other.end().await.code(), -9);
    assert!(tokio::time::timeout(std::time::Duration::from_millis(50), client.attachment.next()).await.is_err());
    // What is done now means nothing.
    client.types("echo\n").await;
    client.attachment.signal(abxd_capabilities::process::Signal::INT);
    let mut late = rig.attach(&terminal);
    assert_eq!(late.end().await.code(), -9);
    assert!(late.seen.contains("last\r\n"));
    assert!(!rig.terminals.find(&caller("me"), &terminal.id).unwrap().alive);
}

#[tokio::test]
async fn jobs_live_on_when_the_shell_leaves_and_end_when_the_session_is_closed() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    let number = marker();
    client.types(&format!("nohup sleep {number} >/dev/null 2>&1 &\n")).await;
    until("it runs", || with_word(&number).len() == 1).await;
    client.types("exit\n").await;
    assert_eq!(client.end().await.code(), 0);
    assert_eq!(with_word(&number).len(), 1);
    assert!(rig.close(&terminal).await);
    assert_eq!(with_word(&number), [0; 0]);
}

#[tokio::test]
async fn a_close_ends_all_that_came_from_the_session() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    let number = marker();
    for line in [
        "sleep N &",
        "nohup sleep N >/dev/null 2>&1 &",
        "bash -c 'trap \"\" HUP TERM INT; sleep N & wait' &",
        "setsid sleep N &",
        "(setsid bash -c 'setsid sleep N & sleep N' & ) &",
        "bash -c 'kill -STOP $$; sleep N' x sleep N &",
        "disown -a; sleep N & disown",
    ] {
        client.types(&format!("{}\n", line.replace('N', &number))).await;
    }
    until("all of them run", || with_word(&number).len() >= 8).await;
    client.runs("true").await;
    let began = std::time::Instant::now();
    assert!(soon("the close", rig.close(&terminal)).await);
    // The contract's bound, with room for a busy machine; the benchmark measures it.
    assert!(began.elapsed().as_secs() < 5);
    assert_eq!(with_word(&number), [0; 0]);
    assert!(rig.terminals.attach(&caller("me"), &terminal.id).is_none());
    assert_eq!(rig.terminals.find(&caller("me"), &terminal.id), None);
    // The client is told, and stays.
    client.end().await;
}

#[tokio::test]
async fn a_close_goes_on_when_nobody_waits_for_it() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    {
        let me = caller("me");
        let close = rig.terminals.close(&me, &terminal.id);
        tokio::pin!(close);
        // Polled once, as by a client that leaves.
        let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(close.as_mut().poll(cx))).await;
        assert!(polled.is_pending());
    }
    assert_eq!(rig.terminals.find(&caller("me"), &terminal.id), None);
    client.end().await;
}

#[tokio::test]
async fn somebody_who_holds_the_terminal_does_not_keep_the_end_from_being_told() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    let number = marker();
    // The kernel takes the terminal away from everybody when the leader of the session that it controls ends. So the leader
    // gives it up before.
    let script = "import fcntl, os, signal, subprocess, sys, termios; signal.signal(signal.SIGHUP, signal.SIG_IGN); \
                  fcntl.ioctl(0, termios.TIOCNOTTY); subprocess.Popen(sys.argv[1:]); print('held', flush=True); os._exit(3)";
    client.types(&format!("exec python3 -c \"{script}\" sleep {number}\n")).await;
    assert_eq!(client.end().await.code(), 3);
    assert!(client.seen.contains("held\r\n"));
    assert_eq!(with_word(&number).len(), 1);
    assert!(rig.close(&terminal).await);
    assert_eq!(with_word(&number), [0; 0]);
}

#[tokio::test]
async fn a_shell_that_lets_its_terminal_go_has_not_ended() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    client
        .types("t=$(tty); exec 3<>/dev/null 0<&3 1>&3 2>&3; sleep 0.2; exec 0<>$t 1>&0 2>&0; echo back; exit 4\n")
        .await;
    client.sees("back\r\n").await;
    match client.next().await {
        Shown::End(exit) => assert_eq!(exit.code(), 4),
        Shown::Output(_) => assert_eq!(client.end().await.code(), 4),
    }
}
