//! Keys and signals (contract: terminal, `signal`; session model, controlling terminal).

use serde_json::json;

use super::sessions::SHELLS;
use super::{Client, Terminal};
use crate::harness::{Nap, Server, Setup, processes, wait};

/// A client at the prompt of a shell.
#[track_caller]
fn at(server: &Server, shell: &str) -> (Terminal, Client) {
    let terminal = Terminal::open_with(server, &json!({ "shell": shell }));
    let mut client = terminal.attach(server);
    client.begins();
    (terminal, client)
}

/// Start a pipeline in the foreground, and wait until all of it runs.
#[track_caller]
fn pipeline(client: &mut Client) -> Nap {
    let nap = Nap::new();
    client.types(&format!("{nap} | {nap}\n", nap = nap.command()));
    wait::until_true("the pipeline runs", || nap.sleepers().len() == 2);
    nap
}

#[test]
fn an_interrupt_ends_the_job_and_not_the_shell() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let (terminal, mut client) = at(&server, shell);
        for key in ["\x03", "\x1c"] {
            let nap = pipeline(&mut client);
            client.types(key);
            nap.is_gone();
            client.runs("true");
        }
        assert_eq!(terminal.detail(&server)["alive"], true, "{shell}");
    }
}

#[test]
fn a_job_stops_and_goes_on() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let (_, mut client) = at(&server, shell);
        let nap = Nap::new();
        client.types(&format!("{}\n", nap.command()));
        let sleeper = nap.begins();
        client.types("\x1a");
        wait::until_true("it is stopped", || processes::look(sleeper).is_some_and(|process| process.state == 'T'));
        client.runs("true");
        client.types("fg\n");
        wait::until_true("it goes on", || processes::look(sleeper).is_some_and(|process| process.state == 'S'));
        client.types("\x03");
        nap.is_gone();
        client.runs("true");
    }
}

#[test]
fn signals_go_to_the_foreground_and_to_nothing_else() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let (terminal, mut client) = at(&server, shell);
        let behind = Nap::new();
        client.types(&format!("{} &\n", behind.command()));
        behind.begins();
        for signal in ["SIGINT", "SIGTERM", "SIGKILL", "SIGHUP", "SIGQUIT"] {
            let nap = pipeline(&mut client);
            client.signals(signal);
            nap.is_gone();
            client.runs("true");
        }
        assert_eq!(behind.sleepers().len(), 1, "{shell}");
        assert_eq!(terminal.detail(&server)["alive"], true, "{shell}");
    }
}

/// At the prompt it is the shell that hears.
#[test]
fn a_signal_at_the_prompt_is_the_shells() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let (_, mut client) = at(&server, shell);
        client.signals("SIGKILL");
        assert_eq!(client.end(), -9, "{shell}");
    }
}

/// The usual one needs no name.
#[test]
fn a_signal_without_a_name_is_an_interrupt() {
    let server = Setup::new().start();
    let (_, mut client) = at(&server, "/bin/bash");
    let nap = pipeline(&mut client);
    client.socket.say(&json!({"type": "signal"}));
    nap.is_gone();
    client.runs("true");
}

#[test]
fn an_end_of_file_ends_what_reads() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let (_, mut client) = at(&server, shell);
        client.types("echo re''ady; cat; echo en''ded\n");
        client.sees("ready\r\n");
        client.types("line\n");
        client.sees("line\r\nline\r\n");
        client.types("\x04");
        client.sees("ended\r\n");
        client.sees("$ ");
        client.types("\x04");
        assert_eq!(client.end(), 0, "{shell}");
    }
}
