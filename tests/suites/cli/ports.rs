//! Which ports are served, and on which addresses.

use std::collections::BTreeSet;
use std::net::TcpListener;

use serde_json::json;

use crate::harness::{Connection, Program, Server, Setup, free_port, wait};

/// Ports that the process's network namespace listens on, of both families.
fn listening(pid: u32) -> BTreeSet<u16> {
    let tables = ["tcp", "tcp6"].map(|table| std::fs::read_to_string(format!("/proc/{pid}/net/{table}")));
    let rows = tables.iter().flatten().flat_map(|table| table.lines().skip(1));
    let rows = rows.map(|row| row.split_whitespace().collect::<Vec<_>>()).filter(|row| row[3] == "0A");
    rows.map(|row| u16::from_str_radix(row[1].rsplit_once(':').unwrap().1, 16).unwrap()).collect()
}

/// A server in a network namespace of its own, where every port is free; the ports it takes.
#[track_caller]
fn ports_of(program: &Program) -> BTreeSet<u16> {
    let permitted = std::process::Command::new("unshare").args(["--net", "true"]).output();
    let permitted = permitted.is_ok_and(|output| output.status.success());
    assert!(permitted, "this test needs `unshare --net`, which takes root or CAP_SYS_ADMIN");
    let mut command = program.clone().under(["unshare", "--net"]).command();
    struct Killed(std::process::Child);
    impl Drop for Killed {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
    let mut child = Killed(command.stderr(std::process::Stdio::null()).spawn().unwrap());
    wait::until("the ports are open", || {
        assert!(child.0.try_wait().unwrap().is_none(), "the server ended");
        // The namespace is the tests' own until the wrapper has left it.
        let namespace = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/net")).unwrap();
        let is_own = namespace(&child.0.id().to_string()) != namespace("self");
        // The terminal's port comes right behind the other one.
        is_own.then(|| listening(child.0.id())).filter(|ports| ports.len() == 2)
    })
}

#[test]
fn the_contracts_ports_are_the_default() {
    assert_eq!(ports_of(&Program::abxd([] as [&str; 0])), [9000, 9001].into());
    assert_eq!(ports_of(&Program::abxd(["serve"])), [9000, 9001].into());
    assert_eq!(ports_of(&Program::abxd(["serve", "--port", "8000"])), [8000, 9001].into());
}

#[test]
fn the_terminal_port_comes_from_the_option_or_the_variable() {
    let serve = || Program::abxd(["serve"]);
    assert_eq!(ports_of(&serve().env("ABX_PTY_PORT", "8001")), [9000, 8001].into());
    assert_eq!(ports_of(&serve().env("ABX_PTY_PORT", "8001").arg("--pty-port").arg("8002")), [9000, 8002].into());
    assert_eq!(ports_of(&serve().env("ABX_PTY_PORT", "nonsense")), [9000, 9001].into());
    assert_eq!(ports_of(&serve().env("ABX_PTY_PORT", "")), [9000, 9001].into());
}

/// Where no terminal endpoint is on there is no terminal port.
#[test]
fn the_terminal_port_is_open_only_for_terminals() {
    let is_open = |server: &Server| Connection::try_open(server.pty_port).is_ok();
    assert!(is_open(&Setup::new().start()));
    assert!(!is_open(&Setup::new().policy(&json!({"groups": {"terminal": false}})).start()));
    assert!(!is_open(&Setup::new().policy(&json!({"preset": "locked"})).start()));
    let one = json!({"groups": {"terminal": false}, "endpoints": {"pty_connect": {"enabled": true}}});
    assert!(is_open(&Setup::new().policy(&one).start()));
}

/// The address is the one that was asked for, of either family; one that the machine lacks is a start that fails.
#[test]
fn the_host_may_be_of_either_family() {
    let has_ipv6 = TcpListener::bind("[::1]:0").is_ok();
    for host in ["::1", "[::1]", "::"] {
        let port = free_port().to_string();
        let setup = Setup::alone(&["serve", "--host", host, "--port", &port, "--pty-port", &free_port().to_string()]);
        if !has_ipv6 {
            setup.run().one_line(1);
            continue;
        }
        let mut child = setup.program().command();
        let mut child = child.stderr(std::process::Stdio::null()).spawn().unwrap();
        let check = Program::abxd(["healthcheck", "--host", "::1", "--port", &port]);
        wait::until_true("the server answers on ::1", || check.run().code == Some(0));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let server = Setup::new().start();
    let check =
        |host: &str| Program::abxd(["healthcheck", "--host", host, "--port", &server.port.to_string()]).run().code;
    assert_eq!(check("127.0.0.1"), Some(0));
    assert_eq!(check("127.0.0.2"), Some(1), "another address than the one asked for");
}
