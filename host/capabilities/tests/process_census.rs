//! Nothing is left: no zombies, no descriptors; and nobody else's child is taken (`contract: process`, Life of a child;
//! bug report B10). Alone in its program: what is counted is the whole process.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage has failed")]

#[path = "process/rig.rs"]
#[expect(dead_code, reason = "not every suite needs all of it")]
mod rig;

use std::fs;
use std::process::Command;
use std::time::Duration;

use abxd_capabilities::process::StartOptions;
use rig::{Rig, marker, options, until, with_word};

/// Ended children of this process that nobody has reaped.
fn zombies() -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_zombie = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        fields.next() == Some("Z") && fields.next() == Some(&std::process::id().to_string())
    };
    processes.filter(is_zombie).collect()
}

fn descriptors() -> Vec<String> {
    let links = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let mut links: Vec<_> = links.map(|link| link.display().to_string()).collect();
    links.retain(|link| {
        link.starts_with("pipe:") || link.contains("pidfd") || link.contains("memfd") || link == "/dev/null"
    });
    links
}

async fn all_kinds(rig: &Rig) {
    let short = options(Duration::from_millis(200));
    for _ in 0..5 {
        rig.run(rig.shell("echo x; exit 3")).await.unwrap();
        rig.run(rig.launch(&["nosuchcmd"])).await.unwrap_err();
        rig.supervisor.run(rig.shell("sleep 60 & sleep 60"), short, std::future::pending()).await.unwrap();
        let mut stream = rig.supervisor.stream(rig.shell("echo a; sleep 60"), options(rig::PATIENCE)).await.unwrap();
        stream.next().await.unwrap();
        drop(stream);
        let background = rig.supervisor.background();
        let place = background.reserve(100).unwrap();
        let started = StartOptions { label: String::new(), capture: Some(1000), stdin: true };
        let pid = background.start(place, rig.launch(&["cat"]), started).await.unwrap();
        background.write(pid, b"x", true).await.unwrap();
        // Forked twice, so that they become this process's.
        rig.run(rig.shell("(setsid bash -c 'sleep 0.05 & sleep 0.1' &)")).await.unwrap();
    }
}

#[tokio::test]
async fn nothing_is_left() {
    let rig = Rig::new();
    all_kinds(&rig).await;
    until("all children are reaped", || zombies().is_empty() && rig.supervisor.background().list().is_empty()).await;
    let before = descriptors().len();
    all_kinds(&rig).await;
    until("all children are reaped again", || zombies().is_empty()).await;
    until("all descriptors are closed", || descriptors().len() <= before).await;

    // Somebody else's child, in the server's own session, is left to its owner...
    let mut others = Command::new("true").spawn().unwrap();
    until("it has ended", || zombies() == [others.id().cast_signed()]).await;
    // ...and an orphan that ends behind it is reaped nevertheless.
    let orphan = marker();
    rig.run(rig.shell(&format!("(setsid sleep 0.4 {orphan}0 &) ; (setsid bash -c 'sleep 0.5; true {orphan}' &)")))
        .await
        .unwrap();
    until("the orphans have ended", || with_word(&orphan).is_empty()).await;
    until("only the other one's is left", || zombies() == [others.id().cast_signed()]).await;
    assert!(others.wait().unwrap().success());
    drop(rig);
    until("the supervisor's own are closed", || descriptors().iter().all(|link| !link.contains("pidfd"))).await;
}
