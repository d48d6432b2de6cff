//! The end of the supervisor (`contract: process §9`).

use std::time::{Duration, Instant};

use abxd_capabilities::process::{LineEvent, RunFailure, StartFailure, StartOptions};

use crate::rig::{PATIENCE, Rig, marker, options, until, with_word};

#[tokio::test]
async fn everything_ends_whoever_it_belongs_to() {
    let rig = Rig::new();
    let [running, streamed, background, orphan, stubborn] = [(); 5].map(|()| marker());
    let launch = rig.shell(&format!("sleep {running} & wait"));
    let run = tokio::spawn({
        let supervisor = rig.supervisor.clone();
        async move { supervisor.run(launch, options(Duration::from_secs(60)), std::future::pending()).await }
    });
    let launch = rig.shell(&format!("echo a; sleep {streamed} & wait"));
    let mut stream = rig.supervisor.stream(launch, options(Duration::from_secs(60))).await.unwrap();
    let place = rig.supervisor.background().reserve(1).unwrap();
    let started = StartOptions { label: String::new(), capture: None, stdin: false };
    let launch = rig.shell(&format!("trap 'touch asked; exit 0' TERM; sleep {background} & wait"));
    let pid = rig.supervisor.background().start(place, launch, started).await.unwrap();
    rig.run(rig.shell(&format!("(setsid sleep {orphan} &) ; (trap '' TERM; setsid sleep {stubborn} &)")))
        .await
        .unwrap();
    let all = [&running, &streamed, &background, &orphan, &stubborn];
    until("all run", || all.iter().all(|marker| with_word(marker).len() == 1)).await;
    assert!(matches!(stream.next().await, Some(LineEvent::Line { .. })));

    let begun = Instant::now();
    rig.supervisor.shutdown().await;
    assert!(all.iter().all(|marker| with_word(marker).is_empty()));
    assert!(rig.path("asked").exists());
    assert!(begun.elapsed() < PATIENCE);
    // A stream does not invent an end.
    assert_eq!(stream.next().await, Some(LineEvent::ShuttingDown));
    assert_eq!(stream.next().await, None);
    assert_eq!(run.await.unwrap().unwrap().exit.code(), -15);
    until("its end is known", || rig.supervisor.background().find(pid).unwrap().exit.is_some()).await;
    let failure = rig.run(rig.launch(&["true"])).await.unwrap_err();
    assert_eq!(failure, RunFailure::Start(StartFailure::ShuttingDown));
}

#[tokio::test]
async fn a_shutdown_with_nothing_to_end_is_over_at_once() {
    let rig = Rig::new();
    rig.run(rig.launch(&["true"])).await.unwrap();
    tokio::time::timeout(PATIENCE, rig.supervisor.shutdown()).await.unwrap();
    rig.supervisor.shutdown().await;
}

#[tokio::test]
async fn other_supervisors_keep_their_children() {
    let (rig, other) = (Rig::new(), Rig::new());
    let [of_other, left_by_other] = [(); 2].map(|()| marker());
    let launch = other.shell(&format!("sleep {of_other} & wait"));
    let stream = other.supervisor.stream(launch, options(Duration::from_secs(60))).await.unwrap();
    other.run(other.shell(&format!("(setsid sleep {left_by_other} &)"))).await.unwrap();
    until("they run", || with_word(&of_other).len() == 1 && with_word(&left_by_other).len() == 1).await;
    rig.supervisor.shutdown().await;
    assert_eq!((with_word(&of_other).len(), with_word(&left_by_other).len()), (1, 1));
    drop(stream);
    drop(other);
    until("a supervisor that is dropped ends its own", || {
        with_word(&of_other).is_empty() && with_word(&left_by_other).is_empty()
    })
    .await;
}
