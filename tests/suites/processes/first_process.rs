//! The end of a server that is the first process of a container: it takes everything along, in order, and not only because
//! the kernel ends what is left of its namespace.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::harness::processes::{self, descendants};
use crate::harness::{Nap, Setup, wait};

fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// Those that end when they are asked to, those that don't, and those that nobody knows any more.
#[test]
fn a_signal_ends_everything() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Setup::new().with_pid_1().start();
        let naps: Vec<_> = (0..3).map(|_| Nap::new()).collect();
        let [polite, deaf, orphan] = naps.iter().map(Nap::command).collect::<Vec<_>>().try_into().unwrap();
        let farewell = server.base().join("farewell");
        let said = farewell.display();
        server.process(&format!("sh -c 'trap \"echo bye >{said}; exit 0\" TERM; {polite} & wait'"), &json!({}));
        server.process(&format!("sh -c 'trap \"\" TERM; {deaf} & wait; wait'"), &json!({"capture_output": true}));
        server.shell(&format!("sh -c '(setsid {orphan} &)'")).ok();
        for nap in &naps {
            nap.begins();
        }
        let begin = Instant::now();
        kill(server.inner_pid(), signal);
        assert_eq!(server.ended().code(), Some(0), "{:#?}", server.log.text());
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
        naps.iter().for_each(Nap::is_gone);
        assert_eq!(std::fs::read_to_string(&farewell).unwrap(), "bye\n", "{signal:?}");
    }
}

/// An orphan that lives on becomes its child, and is reaped when it ends, whoever ends it. Its own child is not mistaken
/// for one.
#[test]
fn an_orphan_that_lives_on_is_adopted() {
    let server = Setup::new().with_pid_1().start();
    let first = server.inner_pid();
    let (own, orphan) = (Nap::new(), Nap::new());
    let number = server.process(&own.command(), &json!({}));
    server.shell(&format!("sh -c '(setsid {} &)'", orphan.command())).ok();
    let (own, orphan) = (own.begins(), orphan.begins());
    wait::until_true("it is adopted", || processes::look(orphan).unwrap().parent == first);
    kill(orphan, Signal::KILL);
    wait::until_true("only the own one is left, and no zombie", || {
        descendants(first).iter().map(|process| process.pid).eq([own])
    });
    kill(own, Signal::KILL);
    let detail = || server.call(&server.request("GET", &format!("/process/{number}"))).ok();
    wait::until_true("its end is told", || detail()["state"] == "exited");
    assert_eq!(detail()["exit_code"], -9);
    assert!(descendants(first).is_empty());
}
