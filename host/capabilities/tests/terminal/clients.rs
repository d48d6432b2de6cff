//! What clients see.

use std::time::Duration;

use abxd_capabilities::terminal::Shown;

use crate::rig::{Rig, until};

#[tokio::test]
async fn a_program_goes_on_without_clients_and_the_next_one_sees_the_newest_megabyte() {
    let rig = Rig::new();
    let (terminal, client) = rig.bash().await;
    let marker = rig.path("done");
    client.types(&format!("seq 1 200000; touch {}\n", marker.display())).await;
    drop(client);
    until("the program ends", || marker.exists()).await;
    let mut client = rig.attach(&terminal);
    client.sees("199999\r\n200000\r\n").await;
    client.types("echo $$\n").await;
    client.sees(&format!("{}\r\n", terminal.pid)).await;
    client.sees("$ ").await;
    drop(client);
    // What was kept is exactly that much, ends with the newest, and begins with a whole character.
    let client = rig.attach(&terminal);
    let mut kept = Vec::new();
    while let Ok(Shown::Output(bytes)) =
        tokio::time::timeout(Duration::from_millis(200), client.attachment.next()).await
    {
        assert!(bytes.len() <= 64 << 10);
        kept.extend(bytes);
    }
    assert_eq!(kept.len(), 1 << 20);
    assert!(String::from_utf8(kept).unwrap().contains("\n200000\r\n"));
}

#[tokio::test]
async fn what_comes_before_the_first_client_is_kept() {
    let rig = Rig::new();
    let (terminal, mut first) = rig.bash().await;
    first.runs("echo fi''rst").await;
    drop(first);
    for _ in 0..2 {
        let mut client = rig.attach(&terminal);
        // From the very first byte on: what the terminal echoed before the shell had begun.
        client.sees("PS1=").await;
        client.sees("first\r\n").await;
    }
}

#[tokio::test]
async fn clients_see_the_same_and_all_may_type() {
    let rig = Rig::new();
    let (terminal, mut one) = rig.bash().await;
    let mut other = rig.attach(&terminal);
    other.types("echo fr''om other\n").await;
    one.sees("from other").await;
    other.sees("from other").await;
    one.types("echo fr''om one\n").await;
    other.sees("from one").await;
    drop(one);
    other.runs("true").await;
}

#[tokio::test]
async fn nothing_is_lost_or_doubled_between_what_was_kept_and_what_comes() {
    let rig = Rig::new();
    let (terminal, watching) = rig.bash().await;
    watching.types("echo; for i in $(seq 10000 12000); do echo $i; done; echo 'en''d'\n").await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        clients.push(rig.attach(&terminal));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    for mut client in clients {
        let mut all = String::new();
        while !all.contains("end\r\n") {
            match client.next().await {
                Shown::Output(bytes) => all.push_str(&String::from_utf8(bytes).unwrap()),
                Shown::End(exit) => panic!("{exit:?}"),
            }
        }
        let numbers: Vec<u32> = all.lines().filter_map(|line| line.trim().parse().ok()).collect();
        assert_eq!(numbers, (10000..=12000).collect::<Vec<_>>());
        client.seen.clear();
    }
}

#[tokio::test]
async fn a_client_that_takes_nothing_holds_the_terminal_up_until_it_leaves() {
    let rig = Rig::new();
    let (terminal, slow) = rig.bash().await;
    let mut quick = rig.attach(&terminal);
    let marker = rig.path("done");
    quick.types(&format!("seq 1 2000000; touch {}\n", marker.display())).await;
    // The quick one comes as far as the slow one lets it: its queue, and what was on the way.
    let mut taken = 0;
    while let Ok(shown) = tokio::time::timeout(Duration::from_millis(500), quick.attachment.next()).await {
        let Shown::Output(bytes) = shown else { panic!("{shown:?}") };
        taken += bytes.len();
    }
    assert!((1 << 20..(1 << 20) + (256 << 10)).contains(&taken), "{taken}");
    assert!(!marker.exists());
    drop(slow);
    quick.sees("\n2000000\r\n").await;
    until("the program ends", || marker.exists()).await;
}

#[tokio::test]
async fn bytes_are_kept_as_they_are() {
    let rig = Rig::new();
    let (_, mut client) = rig.bash().await;
    client.types("stty -opost; echo ra''w\n").await;
    client.sees("raw\n").await;
    client.types("printf 'a\\xff\\xe2\\x82\\n\\r\\0z%s' end\n").await;
    let mut all = client.seen.clone().into_bytes();
    while !all.windows(4).any(|bytes| bytes == b"zend") {
        match client.next().await {
            Shown::Output(bytes) => all.extend(bytes),
            Shown::End(exit) => panic!("{exit:?}"),
        }
    }
    let expected = b"a\xff\xe2\x82\n\r\0zend";
    assert!(all.windows(expected.len()).any(|bytes| bytes == expected), "{:?}", String::from_utf8_lossy(&all));
}
