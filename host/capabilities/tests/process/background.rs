//! Processes that outlive their request (`contract: process §4 to §8`, bug reports B03, B04, B11).

use std::time::Duration;

use abxd_capabilities::process::{
    Launch, Page, Place, Signal, SignalFailure, StartFailure, StartOptions, WriteFailure,
};
use abxd_guards::process::ProgramFailure;

use crate::rig::{PATIENCE, Rig, marker, until, with_word};

/// Captured, with an input.
fn usual() -> StartOptions {
    StartOptions { label: "as asked".to_owned(), capture: Some(1 << 20), stdin: true }
}

fn place(rig: &Rig) -> Place {
    rig.supervisor.background().reserve(100).unwrap()
}

async fn start(rig: &Rig, launch: Launch) -> u32 {
    rig.supervisor.background().start(place(rig), launch, usual()).await.unwrap()
}

async fn page(rig: &Rig, pid: u32, since: u64) -> Page {
    rig.supervisor.background().output(pid, since, Duration::from_secs(30)).await.unwrap()
}

/// All output of both streams once the process has ended, as a client that follows gets it.
async fn followed(rig: &Rig, pid: u32) -> (String, Page) {
    let (mut text, mut since) = (String::new(), 0);
    loop {
        let page = page(rig, pid, since).await;
        page.events.iter().for_each(|event| text.push_str(&event.text));
        since = page.next;
        if page.exit.is_some() && page.events.is_empty() {
            return (text, page);
        }
    }
}

async fn ended(rig: &Rig, pid: u32) -> i32 {
    until("it has ended", || rig.supervisor.background().find(pid).unwrap().exit.is_some()).await;
    rig.supervisor.background().find(pid).unwrap().exit.unwrap().code()
}

#[tokio::test]
async fn a_process_is_listed_while_it_runs_and_readable_when_it_has_ended() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let first = start(&rig, rig.launch(&["sleep", "60"])).await;
    let second = start(&rig, rig.shell("echo bye; read line; exit 7")).await;
    let listed: Vec<_> = background.list().into_iter().map(|process| process.pid).collect();
    assert_eq!(listed, [first, second]);
    let shown = background.find(second).unwrap();
    assert_eq!((&*shown.label, shown.exit, shown.is_captured, shown.has_stdin), ("as asked", None, true, true));
    background.write(second, b"go\n", false).await.unwrap();
    assert_eq!(ended(&rig, second).await, 7);
    let listed: Vec<_> = background.list().into_iter().map(|process| process.pid).collect();
    assert_eq!(listed, [first]);
    let page = background.output(second, 0, Duration::ZERO).await.unwrap();
    assert_eq!((&*page.events[0].text, page.next, page.dropped), ("bye\n", 1, false));
    assert_eq!(page.exit.unwrap().code(), 7);
    assert!(background.find(1).is_none() && background.find(0).is_none());
}

#[tokio::test]
async fn whoever_is_told_of_the_end_has_everything_that_was_written() {
    let rig = Rig::new();
    for _ in 0..20 {
        let pid = start(&rig, rig.launch(&["head", "-c", "60000", "/dev/zero"])).await;
        ended(&rig, pid).await;
        let page = rig.supervisor.background().output(pid, 0, Duration::ZERO).await.unwrap();
        assert_eq!(page.events.iter().map(|event| event.text.len()).sum::<usize>(), 60_000);
    }
}

#[tokio::test]
async fn places_are_counted_at_once_and_given_back() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let one = background.reserve(2).unwrap();
    let two = background.reserve(2).unwrap();
    assert!(background.reserve(2).is_none());
    drop(one);
    let failure = background.start(two, rig.launch(&["nosuchcmd"]), usual()).await.unwrap_err();
    assert_eq!(failure, StartFailure::Program(ProgramFailure::Missing));
    let pids = [start(&rig, rig.launch(&["sleep", "60"])).await, start(&rig, rig.launch(&["sleep", "60"])).await];
    assert!(background.reserve(2).is_none());
    background.signal(pids[0], Signal::KILL).await.unwrap();
    assert!(background.reserve(2).is_some());
    let places: Vec<_> = (0..200).map_while(|_| background.reserve(1000)).collect();
    assert_eq!(places.len(), 99);
}

/// Who has ended one process can start the next, though the kernel takes its time.
#[tokio::test]
async fn the_place_of_one_that_is_told_to_end_is_waited_for() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    for _ in 0..20 {
        let pid = start(&rig, rig.launch(&["sleep", "60"])).await;
        assert!(background.reserve_soon(1).await.is_none());
        background.signal(pid, Signal::TERM).await.unwrap();
        assert!(background.reserve_soon(1).await.is_some());
    }
}

/// One that does not end keeps its place, and nobody waits for long.
#[tokio::test]
async fn the_place_of_one_that_does_not_end_stays_taken() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let pid = start(&rig, rig.launch(&["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 60; done"])).await;
    background.output(pid, 0, PATIENCE).await.unwrap();
    background.signal(pid, Signal::TERM).await.unwrap();
    assert!(background.reserve_soon(1).await.is_none());
    background.signal(pid, Signal::KILL).await.unwrap();
    assert!(background.reserve_soon(1).await.is_some());
}

#[tokio::test]
async fn sigkill_ends_the_whole_tree() {
    let rig = Rig::new();
    let (one, two) = (marker(), marker());
    let pid = start(&rig, rig.shell(&format!("sleep {one} & setsid sleep {two} & wait"))).await;
    until("both run", || with_word(&one).len() == 1 && with_word(&two).len() == 1).await;
    rig.supervisor.background().signal(pid, Signal::KILL).await.unwrap();
    assert_eq!(with_word(&one).len() + with_word(&two).len(), 0);
    assert_eq!(ended(&rig, pid).await, -9);
    assert_eq!(rig.supervisor.background().signal(pid, Signal::KILL).await, Err(SignalFailure::Missing));
}

#[tokio::test]
async fn sigterm_and_sigint_go_to_the_group_and_may_be_handled() {
    let rig = Rig::new();
    let script = "trap 'echo term' TERM; trap 'echo int' INT; echo ready; while :; do sleep 0.05; done";
    let pid = start(&rig, rig.shell(script)).await;
    let mut since = 0;
    for (signal, expected) in [(None, "ready\n"), (Some(Signal::TERM), "term\n"), (Some(Signal::INT), "int\n")] {
        if let Some(signal) = signal {
            rig.supervisor.background().signal(pid, signal).await.unwrap();
        }
        // The shell may also tell, on its standard error, that the signal ended its `sleep`.
        loop {
            let page = page(&rig, pid, since).await;
            since = page.next;
            assert_eq!(page.exit, None);
            if page.events.iter().any(|event| &*event.text == expected) {
                break;
            }
        }
    }
    assert!(rig.supervisor.background().find(pid).unwrap().exit.is_none());
    rig.supervisor.background().signal(pid, Signal::KILL).await.unwrap();
}

#[tokio::test]
async fn what_is_left_of_a_tree_ends_soon_after_a_leader_that_was_asked_to() {
    let rig = Rig::new();
    let (stubborn, away) = (marker(), marker());
    let script = format!("bash -c 'trap \"\" TERM INT; sleep {stubborn} & wait' & setsid sleep {away} & wait");
    let pid = start(&rig, rig.shell(&script)).await;
    until("all run", || with_word(&stubborn).len() == 1 && with_word(&away).len() == 1).await;
    rig.supervisor.background().signal(pid, Signal::TERM).await.unwrap();
    assert_eq!(ended(&rig, pid).await, -15);
    until("the rest is gone", || with_word(&stubborn).is_empty() && with_word(&away).is_empty()).await;
}

#[tokio::test]
async fn what_a_process_leaves_behind_by_itself_lives_on_and_is_still_read() {
    let rig = Rig::new();
    let script = "(until test -e go; do sleep 0.02; done; echo later) & echo now";
    let pid = start(&rig, rig.shell(script)).await;
    let (text, page) = followed(&rig, pid).await;
    assert_eq!((text.as_str(), page.exit.unwrap().code()), ("now\n", 0));
    std::fs::write(rig.path("go"), "").unwrap();
    let later = async {
        loop {
            let page = rig.supervisor.background().output(pid, page.next, Duration::ZERO).await.unwrap();
            if let Some(event) = page.events.first() {
                return event.text.clone();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert_eq!(&*tokio::time::timeout(PATIENCE, later).await.unwrap(), "later\n");
}

#[tokio::test]
async fn sigtstp_stops_and_sigcont_goes_on() {
    let rig = Rig::new();
    let pid = start(&rig, rig.shell("while :; do echo x; sleep 0.02; done")).await;
    page(&rig, pid, 0).await;
    let state = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    rig.supervisor.background().signal(pid, Signal::TSTP).await.unwrap();
    until("it has stopped", || state() == 'T').await;
    assert!(rig.supervisor.background().find(pid).unwrap().exit.is_none());
    let next = rig.supervisor.background().output(pid, 0, Duration::ZERO).await.unwrap().next;
    rig.supervisor.background().signal(pid, Signal::CONT).await.unwrap();
    assert!(page(&rig, pid, next + 2).await.next > next);
    rig.supervisor.background().signal(pid, Signal::KILL).await.unwrap();
}

#[tokio::test]
async fn input_is_written_in_order_and_closed() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let pid = start(&rig, rig.launch(&["cat"])).await;
    let big = vec![b'x'; 300_000];
    let (one, two) = tokio::join!(background.write(pid, &big, false), background.write(pid, b"tail", true));
    assert_eq!((one, two), (Ok(300_000), Ok(4)));
    let (text, _) = followed(&rig, pid).await;
    assert!(text.ends_with("xtail") && text.len() == 300_004);
    assert_eq!(background.write(pid, b"more", false).await, Err(WriteFailure::Closed));
    assert_eq!(background.write(pid, b"", true).await, Err(WriteFailure::Closed));
    assert_eq!(background.write(1, b"", true).await, Err(WriteFailure::Missing));
}

#[tokio::test]
async fn an_input_that_nobody_reads_is_given_up() {
    let rig = Rig::with(|settings| settings.stdin_patience = Duration::from_millis(200));
    let pid = start(&rig, rig.launch(&["sleep", "60"])).await;
    let failure = rig.supervisor.background().write(pid, &[0; 200_000], true).await.unwrap_err();
    assert_eq!(failure, WriteFailure::Stalled(65_536));
    // Nothing was closed.
    assert_eq!(rig.supervisor.background().write(pid, b"", true).await, Ok(0));
}

#[tokio::test]
async fn an_input_whose_reader_has_gone_is_broken_but_can_be_closed() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let pid = start(&rig, rig.shell("exec <&-; echo closed; sleep 60")).await;
    page(&rig, pid, 0).await;
    assert_eq!(background.write(pid, b"x", true).await, Err(WriteFailure::Broken(0)));
    assert_eq!(background.write(pid, b"", true).await, Ok(0));

    let dying = start(&rig, rig.shell("sleep 0.3")).await;
    assert_eq!(background.write(dying, &[0; 200_000], false).await, Err(WriteFailure::Broken(65_536)));
    assert_eq!(background.write(dying, b"", true).await, Ok(0));
    let mut options = usual();
    options.stdin = false;
    let without = background.start(place(&rig), rig.launch(&["sleep", "60"]), options).await.unwrap();
    assert_eq!(background.write(without, b"x", false).await, Err(WriteFailure::Closed));
}

#[tokio::test]
async fn each_read_is_an_event_with_a_number() {
    let rig = Rig::new();
    let pid = start(&rig, rig.shell("head -c 10000 /dev/zero; sleep 0.2; printf two >&2; sleep 0.2; printf x")).await;
    let (text, last) = followed(&rig, pid).await;
    assert_eq!(text.len(), 10_004);
    let page = page(&rig, pid, 0).await;
    let seen: Vec<_> = page.events.iter().map(|event| (event.seq, event.text.len())).collect();
    assert!(seen.iter().all(|(_, length)| *length <= 4096));
    assert_eq!(seen.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), (0..seen.len() as u64).collect::<Vec<_>>());
    assert_eq!((last.next, page.next), (seen.len() as u64, seen.len() as u64));
    let tail: Vec<_> = page.events.iter().rev().take(2).map(|event| (event.stream, &*event.text)).collect();
    use abxd_capabilities::process::OutputStream::{Stderr, Stdout};
    assert_eq!(tail, [(Stdout, "x"), (Stderr, "two")]);
}

#[tokio::test]
async fn a_character_is_whole_also_over_reads_and_partial_lines_come_at_once() {
    let rig = Rig::new();
    let script = r"for byte in '\xe2' '\x89' '\xa4'; do printf $byte; sleep 0.1; done; printf '\xc3'";
    let pid = start(&rig, rig.shell(script)).await;
    let (text, page) = followed(&rig, pid).await;
    assert_eq!((text.as_str(), page.next), ("≤\u{FFFD}", 2));
}

#[tokio::test]
async fn the_oldest_events_go_when_there_is_no_room() {
    let rig = Rig::new();
    let mut options = usual();
    options.capture = Some(5000);
    let launch = rig.shell("head -c 9000 /dev/zero; sleep 0.3; printf end");
    let pid = rig.supervisor.background().start(place(&rig), launch, options).await.unwrap();
    let (_, last) = followed(&rig, pid).await;
    let page = page(&rig, pid, 0).await;
    assert!(page.dropped && page.events.iter().map(|event| event.text.len()).sum::<usize>() <= 5000);
    assert_eq!(page.events.last().map(|event| (event.seq, &*event.text)), Some((last.next - 1, "end")));
    assert!(page.events[0].seq > 0);
}

#[tokio::test]
async fn any_number_of_readers_wait_and_one_that_leaves_disturbs_nobody() {
    let rig = Rig::new();
    let pid = start(&rig, rig.launch(&["cat"])).await;
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let background = rig.supervisor.background().clone();
            tokio::spawn(async move { background.output(pid, 0, PATIENCE).await.unwrap().events.len() })
        })
        .collect();
    waiting[0].abort();
    tokio::task::yield_now().await;
    rig.supervisor.background().write(pid, b"hello", false).await.unwrap();
    for waiting in waiting.into_iter().skip(1) {
        assert_eq!(waiting.await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_wait_ends_with_the_process_and_with_its_time() {
    let rig = Rig::new();
    let silent = start(&rig, rig.launch(&["sleep", "0.3"])).await;
    let page = rig.supervisor.background().output(silent, 0, Duration::from_secs(3000)).await.unwrap();
    assert!(page.events.is_empty() && page.exit.is_some());
    let running = start(&rig, rig.launch(&["sleep", "60"])).await;
    let page = rig.supervisor.background().output(running, 9, Duration::from_millis(50)).await.unwrap();
    assert_eq!((page.next, page.exit), (0, None));
    let holds = start(&rig, rig.shell("sleep 60 & echo x")).await;
    let (text, _) = followed(&rig, holds).await;
    assert_eq!(text, "x\n");
}

#[tokio::test]
async fn what_is_not_captured_has_no_output() {
    let rig = Rig::new();
    let options = StartOptions { label: String::new(), capture: None, stdin: false };
    let pid = rig.supervisor.background().start(place(&rig), rig.shell("echo x; exit 3"), options).await.unwrap();
    assert_eq!(ended(&rig, pid).await, 3);
    assert!(rig.supervisor.background().output(pid, 0, Duration::ZERO).await.is_none());
}

#[tokio::test]
async fn the_256_that_ended_last_are_kept() {
    let rig = Rig::new();
    let background = rig.supervisor.background();
    let mut pids = Vec::new();
    for _ in 0..300 {
        let options = StartOptions { label: String::new(), capture: None, stdin: false };
        pids.push(background.start(place(&rig), rig.launch(&["true"]), options).await.unwrap());
        until("it has ended", || background.list().is_empty()).await;
    }
    until("only the last are kept", || pids.iter().filter(|pid| background.find(**pid).is_some()).count() == 256).await;
    assert!(background.find(pids[299]).is_some() && background.find(pids[0]).is_none());
}
