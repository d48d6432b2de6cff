//! Running to the end: results, time, output, what is left behind (`contract: process §2`, bug reports B01 to B05).

use std::time::Duration;

use abxd_capabilities::process::{CapturedText, RunFailure};
use tokio::sync::oneshot;

use crate::rig::{Rig, marker, options, text, until, with_word};

#[tokio::test]
async fn both_outputs_and_the_exit_code_come_back() {
    let rig = Rig::new();
    let done = rig.run(rig.shell("echo out; echo err >&2; exit 3")).await.unwrap();
    assert_eq!((text(&done.stdout), text(&done.stderr)), ("out\n".to_owned(), "err\n".to_owned()));
    assert_eq!((done.exit.code(), done.timed_out), (3, false));
    assert!(!done.stdout.truncated);
}

#[tokio::test]
async fn a_signal_is_a_negative_exit_code() {
    let rig = Rig::new();
    assert_eq!(rig.run(rig.shell("kill -9 $$")).await.unwrap().exit.code(), -9);
    assert_eq!(rig.run(rig.shell("kill -TERM $$")).await.unwrap().exit.code(), -15);
    assert_eq!(rig.run(rig.shell("kill -40 $$")).await.unwrap().exit.code(), -40);
}

#[tokio::test]
async fn what_holds_the_pipe_in_the_background_delays_nothing_and_lives_on() {
    let rig = Rig::new();
    let sleep = marker();
    let done = rig.run(rig.shell(&format!("sleep {sleep} & echo hi"))).await.unwrap();
    assert_eq!((text(&done.stdout), done.exit.code()), ("hi\n".to_owned(), 0));
    assert_eq!(with_word(&sleep).len(), 1);
}

#[tokio::test]
async fn what_writes_on_in_the_background_is_not_stopped_by_sigpipe() {
    let rig = Rig::new();
    let done = rig.path("done");
    let script = "(sleep 0.6; head -c 300000 /dev/zero && touch done) & echo hi";
    rig.run(rig.shell(script)).await.unwrap();
    until("the writer went on", || done.exists()).await;
}

#[tokio::test]
async fn all_that_was_written_before_the_end_is_kept_whoever_holds_the_pipe() {
    let rig = Rig::new();
    let sleep = marker();
    let done = rig.run(rig.shell(&format!("sleep {sleep} & head -c 60000 /dev/zero | tr '\\0' x"))).await.unwrap();
    assert_eq!((done.stdout.text.size(), text(&done.stderr), done.exit.code()), (60_000, String::new(), 0));
}

#[tokio::test]
async fn time_kills_the_whole_tree() {
    let rig = Rig::new();
    let (one, two) = (marker(), marker());
    let launch = rig.shell(&format!("sleep {one} & sleep {two}; echo x"));
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_millis(700)), std::future::pending()).await }
    });
    until("both run", || with_word(&one).len() == 1 && with_word(&two).len() == 1).await;
    let done = running.await.unwrap().unwrap();
    assert_eq!((done.timed_out, done.exit.code()), (true, -9));
    assert_eq!(with_word(&one).len() + with_word(&two).len(), 0);
}

#[tokio::test]
async fn time_kills_what_has_forked_twice_and_made_a_session_of_its_own() {
    let rig = Rig::new();
    let sleep = marker();
    let launch = rig.shell(&format!("(setsid bash -c 'sleep {sleep} & disown; exit' &) ; sleep 60"));
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_millis(900)), std::future::pending()).await }
    });
    until("the daemon runs", || with_word(&sleep).len() == 1).await;
    assert!(running.await.unwrap().unwrap().timed_out);
    assert_eq!(with_word(&sleep).len(), 0);
}

#[tokio::test]
async fn time_counts_also_when_both_pipes_are_closed() {
    let rig = Rig::new();
    let launch = rig.shell("exec >&- 2>&-; sleep 60");
    let done = rig.supervisor.run(launch, options(Duration::from_millis(300)), std::future::pending()).await.unwrap();
    assert_eq!((done.timed_out, done.exit.code()), (true, -9));
}

#[tokio::test]
async fn closed_pipes_are_not_the_end() {
    let rig = Rig::new();
    let done = rig.run(rig.shell("exec >&- 2>&-; sleep 0.4; exit 5")).await.unwrap();
    assert_eq!(done.exit.code(), 5);
}

#[tokio::test]
async fn whoever_leaves_ends_the_tree() {
    let rig = Rig::new();
    let sleep = marker();
    let (leave, left) = oneshot::channel::<()>();
    let launch = rig.shell(&format!("trap '' TERM; sleep {sleep} & wait; wait"));
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move {
            let left = async move { drop(left.await) };
            supervisor.run(launch, options(Duration::from_secs(60)), left).await
        }
    });
    until("it runs", || with_word(&sleep).len() == 1).await;
    drop(leave);
    assert_eq!(running.await.unwrap().unwrap_err(), RunFailure::Left);
    assert_eq!(with_word(&sleep).len(), 0);
}

#[tokio::test]
async fn a_dropped_run_ends_its_tree() {
    let rig = Rig::new();
    let sleep = marker();
    let launch = rig.shell(&format!("sleep {sleep} & wait"));
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_secs(60)), std::future::pending()).await }
    });
    until("it runs", || with_word(&sleep).len() == 1).await;
    running.abort();
    until("it is gone", || with_word(&sleep).is_empty()).await;
}

#[tokio::test]
async fn output_is_cut_at_a_whole_character() {
    let rig = Rig::new();
    let limited =
        |most| abxd_capabilities::process::RunOptions { timeout: Duration::from_secs(20), most_output: Some(most) };
    for (most, kept, truncated) in [(10, "12345678é", true), (11, "12345678é", true), (12, "12345678éé", false)] {
        let launch = rig.launch(&["printf", "12345678éé"]);
        let done = rig.supervisor.run(launch, limited(most), std::future::pending()).await.unwrap();
        assert_eq!((text(&done.stdout).as_str(), done.stdout.truncated), (kept, truncated), "{most}");
    }
    let done = rig.supervisor.run(rig.launch(&["printf", "x"]), limited(0), std::future::pending()).await.unwrap();
    assert_eq!((done.stdout.text.size(), done.stdout.truncated, done.exit.code()), (0, true, 0));
}

#[tokio::test]
async fn large_output_leaves_memory() {
    let rig = Rig::new();
    let done = rig.run(rig.shell("seq 1 600000; printf 'é' >&2")).await.unwrap();
    let expected: String = (1..=600_000).map(|number| format!("{number}\n")).collect();
    assert!(matches!(done.stdout.text, CapturedText::File(..)));
    assert!(text(&done.stdout) == expected);
    assert_eq!(text(&done.stderr), "é");
}

#[tokio::test]
async fn without_a_limit_there_is_still_a_bound() {
    let rig = Rig::new();
    let done = rig.run(rig.shell("head -c 70000000 /dev/zero; exit 4")).await.unwrap();
    assert_eq!((done.stdout.text.size(), done.stdout.truncated), (64 * 1024 * 1024, true));
    assert_eq!(done.exit.code(), 4);
}

#[tokio::test]
async fn characters_survive_reads_and_bad_bytes_are_replaced() {
    let rig = Rig::new();
    let split = r"for byte in '\xe2' '\x89' '\xa4'; do printf $byte; sleep 0.15; done";
    assert_eq!(rig.output(split).await, "≤");
    assert_eq!(rig.output(r"printf '\xff\xfeA\x00B\r\n'").await, "\u{FFFD}\u{FFFD}A\0B\r\n");
    let many = rig.output("for i in $(seq 50000); do printf 你; done").await;
    assert!(many == "你".repeat(50_000));
}
