//! Running line by line (`contract: process §3`, bug reports B04, B07, B12, B29).

use std::time::Duration;

use abxd_capabilities::process::LineEvent::{self, Exit, Line, OutputLimit, TimedOut};
use abxd_capabilities::process::OutputStream::{Stderr, Stdout};
use abxd_capabilities::process::{Launch, LineStream, RunOptions};

use crate::rig::{PATIENCE, Rig, marker, options, until, with_word};

async fn all(mut stream: LineStream) -> Vec<LineEvent> {
    let mut events = Vec::new();
    while let Some(event) = tokio::time::timeout(PATIENCE, stream.next()).await.unwrap() {
        events.push(event);
    }
    events
}

async fn events(rig: &Rig, launch: Launch) -> Vec<LineEvent> {
    all(rig.supervisor.stream(launch, options(PATIENCE)).await.unwrap()).await
}

/// Events in short: lines of descriptor 1 as they are, of descriptor 2 with a `!`, the end in brackets.
fn short(events: &[LineEvent]) -> Vec<String> {
    let shown = events.iter().map(|event| match event {
        Line { stream: Stdout, text } => text.clone(),
        Line { stream: Stderr, text } => format!("!{text}"),
        TimedOut => "[timeout]".to_owned(),
        OutputLimit => "[output_limit]".to_owned(),
        Exit(exit) => format!("[{}]", exit.code()),
        LineEvent::ShuttingDown => "[shutting down]".to_owned(),
    });
    shown.collect()
}

#[tokio::test]
async fn each_line_is_an_event() {
    let rig = Rig::new();
    let cases: [(&str, &[&str]); 6] = [
        (r"a\n\nb\n", &["a", "", "b", "[0]"]),
        (r"x", &["x", "[0]"]),
        (r"a\rb\r\n", &["a\rb\r", "[0]"]),
        (r"a\r\nb\rc\n\nd", &["a\r", "b\rc", "", "d", "[0]"]),
        (r"", &["[0]"]),
        (r"\xff\0\xe2\x82\n\xac", &["\u{FFFD}\0\u{FFFD}", "\u{FFFD}", "[0]"]),
    ];
    for (written, expected) in cases {
        assert_eq!(short(&events(&rig, rig.launch(&["printf", written])).await), expected, "{written}");
    }
}

#[tokio::test]
async fn both_outputs_and_the_exit_code_are_there() {
    let rig = Rig::new();
    let events = short(&events(&rig, rig.shell("echo out; sleep 0.1; echo err >&2; exit 3")).await);
    assert_eq!(events, ["out", "!err", "[3]"]);
}

#[tokio::test]
async fn an_event_comes_while_the_program_runs() {
    let rig = Rig::new();
    let mut stream =
        rig.supervisor.stream(rig.shell("echo a; read line < /dev/zero"), options(PATIENCE)).await.unwrap();
    let first = tokio::time::timeout(PATIENCE, stream.next()).await.unwrap().unwrap();
    assert_eq!(short(&[first]), ["a"]);
}

#[tokio::test]
async fn time_kills_and_the_exit_follows() {
    let rig = Rig::new();
    let sleep = marker();
    let launch = rig.shell(&format!("echo a; sleep {sleep} & printf partial; wait"));
    let stream = rig.supervisor.stream(launch, options(Duration::from_millis(600))).await.unwrap();
    assert_eq!(short(&all(stream).await), ["a", "partial", "[timeout]", "[-9]"]);
    assert_eq!(with_word(&sleep).len(), 0);
}

#[tokio::test]
async fn time_runs_also_when_both_pipes_are_closed_or_nobody_reads() {
    let rig = Rig::new();
    let launch = rig.shell("exec >&- 2>&-; sleep 60");
    let stream = rig.supervisor.stream(launch, options(Duration::from_millis(300))).await.unwrap();
    assert_eq!(short(&all(stream).await), ["[timeout]", "[-9]"]);

    let launch = rig.shell("echo $$ > pid; exec yes");
    let stream = rig.supervisor.stream(launch, options(Duration::from_millis(500))).await.unwrap();
    until("it has begun", || std::fs::read_to_string(rig.path("pid")).is_ok_and(|pid| pid.ends_with('\n'))).await;
    let pid = std::fs::read_to_string(rig.path("pid")).unwrap();
    until("it is killed", || !std::path::Path::new("/proc").join(pid.trim()).exists()).await;
    let events = short(&all(stream).await);
    assert!(events.ends_with(&["y".to_owned(), "[timeout]".to_owned(), "[-9]".to_owned()]), "{:?}", events.last());
}

#[tokio::test]
async fn closed_pipes_are_not_the_end() {
    let rig = Rig::new();
    assert_eq!(short(&events(&rig, rig.shell("exec >&- 2>&-; sleep 0.4; exit 5")).await), ["[5]"]);
}

#[tokio::test]
async fn a_descendant_that_holds_the_pipe_delays_nothing_and_lives_on() {
    let rig = Rig::new();
    let sleep = marker();
    let events = short(&events(&rig, rig.shell(&format!("sleep {sleep} & echo hi; printf rest"))).await);
    assert_eq!(events, ["hi", "rest", "[0]"]);
    assert_eq!(with_word(&sleep).len(), 1);
}

#[tokio::test]
async fn a_limit_counts_characters_and_ends_of_lines_of_both_outputs() {
    let rig = Rig::new();
    let cases: [(&str, u64, &[&str]); 5] = [
        ("seq 1 100", 10, &["1", "2", "3", "4", "5", "[output_limit]"]),
        ("printf 'éé\\nx'", 5, &["éé", "x", "[0]"]),
        ("printf 'éé\\nx'", 4, &["éé", "[output_limit]"]),
        ("echo abc >&2; sleep 0.2; echo abc", 7, &["!abc", "[output_limit]"]),
        ("true", 0, &["[0]"]),
    ];
    for (script, most, expected) in cases {
        let options = RunOptions { timeout: PATIENCE, most_output: Some(most) };
        let events = short(&all(rig.supervisor.stream(rig.shell(script), options).await.unwrap()).await);
        // The exit after the limit is -9 or, if it was quicker, the program's own.
        let shown = events.iter().take(expected.len()).map(String::as_str).collect::<Vec<_>>();
        assert_eq!(shown, expected, "{script}");
        assert!(events.len() <= expected.len() + 1, "{events:?}");
    }
}

#[tokio::test]
async fn a_limit_ends_whoever_writes_without_end() {
    let rig = Rig::new();
    let options = RunOptions { timeout: Duration::from_secs(60), most_output: Some(1000) };
    let launch = rig.shell("tr '\\0' x < /dev/zero");
    let events = short(&all(rig.supervisor.stream(launch, options).await.unwrap()).await);
    assert_eq!(events, ["[output_limit]", "[-9]"]);
}

#[tokio::test]
async fn a_long_line_is_one_event_up_to_16_mib() {
    let rig = Rig::new();
    let launch = rig.shell("head -c 3000000 /dev/zero | tr '\\0' x; echo; head -c 50000000 /dev/zero | tr '\\0' y");
    let events = events(&rig, launch).await;
    let lengths: Vec<_> =
        events.iter().map(|event| if let Line { text, .. } = event { text.len() } else { 0 }).collect();
    let longest = 16 * 1024 * 1024;
    assert_eq!(lengths, [3_000_000, longest, longest, 50_000_000 - 2 * longest, 0]);
}

#[tokio::test]
async fn many_lines_come_in_order_and_whole() {
    let rig = Rig::new();
    let events = events(&rig, rig.shell("seq 1 300000")).await;
    let expected = (1..=300_000).map(|number| Line { stream: Stdout, text: number.to_string() });
    assert!(events.iter().take(300_000).cloned().eq(expected));
    assert_eq!(short(&events[300_000..]), ["[0]"]);
}

#[tokio::test]
async fn characters_survive_reads() {
    let rig = Rig::new();
    let script = r"for byte in '\xe2' '\x89' '\xa4'; do printf $byte; sleep 0.15; done; for i in $(seq 50000); do printf 你; done";
    let events = short(&events(&rig, rig.shell(script)).await);
    assert!(events[0] == format!("≤{}", "你".repeat(50_000)));
    assert_eq!(events.len(), 2);
}

#[tokio::test]
async fn dropping_the_stream_ends_the_tree() {
    let rig = Rig::new();
    let sleep = marker();
    let launch = rig.shell(&format!("trap '' TERM; sleep {sleep} & echo a; wait; wait"));
    let mut stream = rig.supervisor.stream(launch, options(Duration::from_secs(60))).await.unwrap();
    assert_eq!(short(&[stream.next().await.unwrap()]), ["a"]);
    until("it runs", || with_word(&sleep).len() == 1).await;
    drop(stream);
    until("it is gone", || with_word(&sleep).is_empty()).await;
}
