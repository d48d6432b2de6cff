//! What is typed.

use std::fs;
use std::time::Duration;

use crate::rig::{Rig, marker, soon, until, with_word};

/// A megabyte that no terminal driver would change in raw mode.
fn paste() -> String {
    (0..1 << 20).map(|at| char::from(b'a' + (at % 26) as u8)).collect()
}

#[tokio::test]
async fn a_megabyte_arrives_whole() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    let file = rig.path("pasted");
    client
        .types(&format!("stty raw -echo; echo rea''dy; head -c 1048576 >{}; stty sane; echo rea''d\n", file.display()))
        .await;
    client.sees("ready").await;
    client.types(&paste()).await;
    client.sees("read").await;
    assert!(fs::read_to_string(file).unwrap() == paste());
}

#[tokio::test]
async fn a_program_that_reads_slowly_gets_all_of_it() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    let file = rig.path("pasted");
    let reader = "while true; do dd bs=1024 count=64 iflag=fullblock 2>/dev/null; sleep 0.01; done | head -c 1048576";
    client.types(&format!("stty raw -echo; echo rea''dy; {reader} >{}\n", file.display())).await;
    client.sees("ready").await;
    client.types(&paste()).await;
    until("it has come", || fs::metadata(&file).is_ok_and(|data| data.len() == 1 << 20)).await;
    assert!(fs::read_to_string(file).unwrap() == paste());
}

#[tokio::test]
async fn who_types_more_than_is_kept_waits_and_nobody_else_does() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    client.types("stty raw -echo; echo rea''dy; sleep 1000\n").await;
    client.sees("ready").await;
    client.types(&paste()).await;
    let more = paste();
    let stuck = client.attachment.type_in(more.as_bytes());
    assert!(tokio::time::timeout(Duration::from_millis(300), stuck).await.is_err());
    // The session next door.
    let (_, mut other) = rig.bash().await;
    other.runs("true").await;
    // A signal does not wait behind it.
    client.attachment.signal(abxd_capabilities::process::Signal::INT);
    client.sees("$ ").await;
}

#[tokio::test]
async fn who_waits_to_type_is_let_go_at_the_end() {
    let rig = Rig::new();
    let (terminal, mut client) = rig.bash().await;
    client.types("stty raw -echo; echo rea''dy; sleep 1000\n").await;
    client.sees("ready").await;
    client.types(&paste()).await;
    let other = rig.attach(&terminal);
    let stuck = tokio::spawn(async move { other.attachment.type_in(paste().as_bytes()).await });
    assert!(rig.close(&terminal).await);
    soon("the one who types", stuck).await.unwrap();
}

#[tokio::test]
async fn an_end_of_file_and_an_interrupt_are_the_drivers() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    client.types("echo re''ady; cat; echo en''ded\n").await;
    client.sees("ready\r\n").await;
    client.types("line\n").await;
    client.sees("line\r\nline\r\n").await;
    client.types("\x04").await;
    client.sees("ended").await;
    let number = marker();
    client.types(&format!("sleep {number}\n")).await;
    // Before that an interrupt throws away what was typed, as the driver does.
    until("the program runs", || with_word(&number).len() == 1).await;
    client.types("\x03").await;
    client.sees("^C").await;
    client.sees("$ ").await;
}
