//! What a child is born with (contract: process §1.5).

use serde_json::json;

use crate::harness::processes::look;
use crate::harness::{Nap, Setup};

#[test]
fn a_child_leads_a_session_of_its_own() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let pid = u32::try_from(server.process(&nap.command(), &json!({}))).unwrap();
    let child = look(pid).unwrap();
    assert_eq!((child.parent, child.group, child.session), (server.pid(), pid, pid));
}

/// Reading gives the end at once, whatever the server's own input is.
#[test]
fn a_child_has_no_input() {
    let server = Setup::new().start();
    assert_eq!(server.shell("cat").ok()["stdout"], "");
    assert_eq!(server.shell("readlink /proc/self/fd/0").ok()["stdout"], "/dev/null\n");
    assert_eq!(server.shell("tty").ok()["exit_code"], 1);
}

/// No file or socket of the server's, and none of another child's.
#[test]
fn a_child_inherits_three_descriptors() {
    let server = Setup::new().start();
    let _other = server.process("cat", &json!({"capture_output": true, "stdin": true}));
    // The fourth is the directory that is being listed.
    assert_eq!(server.shell("ls /proc/self/fd").ok()["stdout"], "0\n1\n2\n3\n");
}

/// Every signal has its default effect and none is held back, also where the server was started otherwise.
#[test]
fn a_child_has_the_usual_signals() {
    let wrapper = ["sh", "-c", "trap '' INT HUP USR1 PIPE TERM; exec \"$0\" \"$@\""];
    for setup in [Setup::new(), Setup::new().under(wrapper)] {
        let server = setup.start();
        let status = server.shell("cat /proc/self/status").ok()["stdout"].as_str().unwrap().to_owned();
        for field in ["SigBlk", "SigIgn", "SigCgt"] {
            let line = status.lines().find(|line| line.starts_with(field)).unwrap();
            assert_eq!(line.split('\t').nth(1), Some("0000000000000000"), "{line}");
        }
    }
}

/// The umask is the server's.
#[test]
fn a_child_has_the_servers_umask() {
    let server = Setup::new().under(["sh", "-c", "umask 027; exec \"$0\" \"$@\""]).start();
    assert_eq!(server.shell("sh -c umask").ok()["stdout"], "0027\n");
}
