//! B28: closing a terminal is slow, or leaves its jobs. How long it takes is the benchmarks' matter.

use crate::harness::{Nap, Setup, processes, wait};
use crate::terminals::Terminal;

/// B28, and all kinds of jobs that try to stay. When the answer is there, they are gone.
#[test]
fn a_close_ends_every_job() {
    let server = Setup::new().start();
    // What is typed, and what once it runs.
    for (job, then) in [
        ("NAP &", ""),
        ("nohup NAP >/dev/null 2>&1 &", ""),
        ("bash -c 'trap \"\" HUP TERM INT; NAP & wait; wait' &", ""),
        ("setsid NAP &", ""),
        ("(setsid bash -c 'setsid NAP & NAP' &)", ""),
        ("NAP & disown; true", ""),
        ("NAP &", "kill -STOP %1\n"),
        ("NAP", "\x1a"),
        ("trap '' HUP TERM; NAP", ""),
    ] {
        let (terminal, mut client) = Terminal::at_prompt(&server);
        let nap = Nap::new();
        client.types(&format!("{}\n", job.replace("NAP", &nap.command())));
        let sleeper = nap.begins();
        client.types(then);
        if !then.is_empty() {
            wait::until_true("it is stopped", || processes::look(sleeper).is_some_and(|process| process.state == 'T'));
        }
        let closed = terminal.close(&server);
        assert_eq!((closed.status, nap.sleepers().len()), (200, 0), "{job}");
        client.end();
    }
}

/// Terminals that are closed at the same moment do not wait for each other, and nothing is left of any.
#[test]
fn many_are_closed_at_once() {
    let server = Setup::new().start();
    let nap = Nap::new();
    let opened: Vec<_> = (0..8).map(|_| Terminal::at_prompt(&server)).collect();
    let terminals: Vec<_> = opened
        .into_iter()
        .map(|(terminal, mut client)| {
            client.types(&format!("{} &\n", nap.command()));
            terminal
        })
        .collect();
    wait::until_true("all of them run", || nap.sleepers().len() == 8);
    std::thread::scope(|scope| {
        let server = &server;
        let closing: Vec<_> = terminals.iter().map(|one| scope.spawn(move || one.close(server).status)).collect();
        assert!(closing.into_iter().all(|one| one.join().unwrap() == 200));
    });
    assert_eq!(nap.sleepers().len(), 0);
}
