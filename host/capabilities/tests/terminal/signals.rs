//! Signals go to the foreground, and to nothing else.

use abxd_capabilities::process::Signal;

use crate::rig::{Rig, marker, until, with_word};

#[tokio::test]
async fn a_job_ends_and_the_shell_lives_on() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    for signal in [Signal::INT, Signal::TERM, Signal::KILL, Signal::HUP, Signal::QUIT] {
        let number = marker();
        client.types(&format!("sleep {number} | sleep {number}\n")).await;
        until("the job runs", || with_word(&number).len() == 2).await;
        client.attachment.signal(signal);
        client.runs("true").await;
        assert_eq!(with_word(&number), [0; 0], "{signal:?}");
    }
}

#[tokio::test]
async fn jobs_in_the_background_hear_nothing() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    let (behind, before) = (marker(), marker());
    client.types(&format!("sleep {behind} &\n")).await;
    client.types(&format!("sleep {before}\n")).await;
    until("both run", || with_word(&behind).len() == 1 && with_word(&before).len() == 1).await;
    client.attachment.signal(Signal::KILL);
    client.runs("true").await;
    assert_eq!((with_word(&behind).len(), with_word(&before).len()), (1, 0));
}

#[tokio::test]
async fn at_the_prompt_it_is_the_shell_that_hears() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    client.runs("trap 'echo he''ard' INT").await;
    client.sees("$ ").await;
    client.attachment.signal(Signal::INT);
    client.types("\n").await;
    client.sees("heard").await;
    client.sees("$ ").await;
    client.attachment.signal(Signal::HUP);
    // A bash that hears it between its last look for signals and its wait for a line acts on it with the next line.
    client.types("\n").await;
    assert_eq!(client.end().await.code(), -1);
}
