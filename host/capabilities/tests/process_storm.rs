//! Trees that fork faster than anybody can follow (`contract: process`, Life of a child; bug report B36).
//!
//! A binary of its own: it takes all the processors there are. Every storm dies down by itself after a while.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

#[path = "process/rig.rs"]
#[expect(dead_code, reason = "not every suite needs all of it")]
mod rig;

use std::time::Duration;

use rig::{PATIENCE, Rig, marker, options, until, with_word};

/// Processes that hop: each forks and ends, again and again, so that none lives long enough to be looked at twice. The
/// marker is their argument.
fn hoppers(marker: &str, before_each_hop: &str) -> String {
    format!(
        "use POSIX; my $end = time + 30; \
         for (1..8) {{ next if fork; while (time < $end) {{ exit if fork; {before_each_hop} }} exit }} \
         sleep 60; # {marker}"
    )
}

async fn storm_is_ended(program: &str) {
    let rig = Rig::new();
    let marker = marker();
    let code = hoppers(&marker, program);
    let launch = rig.launch(&["perl", "-e", &code, &marker]);
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_secs(2)), std::future::pending()).await }
    });
    until("the storm has begun", || with_word(&marker).len() > 4).await;
    assert!(running.await.unwrap().unwrap().timed_out);
    until("the storm is over", || with_word(&marker).is_empty()).await;
    // It stays so: nobody was missed between two looks.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(with_word(&marker).len(), 0);
    assert!(PATIENCE < Duration::from_secs(30), "longer, and the storm would have ended by itself");
}

#[tokio::test]
async fn hopping_in_the_session_ends_with_the_tree() {
    storm_is_ended("").await;
}

#[tokio::test]
async fn hopping_from_session_to_session_ends_with_the_tree() {
    storm_is_ended("POSIX::setsid();").await;
}

/// A population that grows until it is killed, each with a session of its own, bounded only by its own count.
#[tokio::test]
async fn a_tree_that_grows_ends_with_its_time() {
    let rig = Rig::new();
    let marker = marker();
    let code = "use POSIX; my $end = time + 30; for (1..7) { fork; POSIX::setsid() } sleep 1 while time < $end;";
    let launch = rig.launch(&["perl", "-e", code, &marker]);
    let running = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_secs(3)), std::future::pending()).await }
    });
    until("it has grown", || with_word(&marker).len() == 128).await;
    assert!(running.await.unwrap().unwrap().timed_out);
    until("all are gone", || with_word(&marker).is_empty()).await;
}
