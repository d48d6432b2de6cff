//! Memory that output takes (D33). Alone in its program: what is measured is the whole process.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

#[path = "process/rig.rs"]
#[expect(dead_code, reason = "not every suite needs all of it")]
mod rig;

use std::fs;
use std::time::Duration;

use abxd_capabilities::process::{LineEvent, RunOptions};
use rig::{Rig, options, text};

/// A number of kilobytes in this process's status.
fn kilobytes(field: &str) -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn output_takes_no_more_than_its_limit_and_a_waiting_stream_next_to_nothing() {
    let rig = Rig::new();
    rig.output("echo warm").await;

    let before = kilobytes("VmRSS:");
    let mut streams = Vec::new();
    for _ in 0..100 {
        let launch = rig.shell("echo up; exec sleep 60");
        let mut stream = rig.supervisor.stream(launch, options(Duration::from_secs(60))).await.unwrap();
        assert!(matches!(stream.next().await, Some(LineEvent::Line { .. })));
        streams.push(stream);
    }
    let each = (kilobytes("VmRSS:") - before) / 100;
    assert!(each <= 150, "{each} KiB for each stream");
    drop(streams);

    let before = kilobytes("VmHWM:");
    let limited = RunOptions { timeout: Duration::from_secs(60), most_output: Some(1 << 20) };
    let launch = rig.shell("yes | head -c 200000000");
    let done = rig.supervisor.run(launch, limited, std::future::pending()).await.unwrap();
    assert_eq!((done.stdout.text.size(), done.stdout.truncated, done.exit.code()), (1 << 20, true, 0));
    assert!(text(&done.stdout).starts_with("y\ny\n"));
    let grown = kilobytes("VmHWM:") - before;
    assert!(grown <= 24 * 1024, "{grown} KiB more at the peak");

    // Without a limit it leaves memory for a file.
    let done = rig.run(rig.shell("yes | head -c 60000000")).await.unwrap();
    assert_eq!(done.stdout.text.size(), 60_000_000);
    let grown = kilobytes("VmHWM:") - before;
    assert!(grown <= 24 * 1024, "{grown} KiB more at the peak");
}
