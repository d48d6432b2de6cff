//! `process_signal`, and what a path names (contract: process §5, §6).

use serde_json::{Value, json};

use crate::harness::processes::look;
use crate::harness::{Nap, Server, Setup, wait};

fn send(server: &Server, pid: &str, signal: &Value) -> crate::harness::Answer {
    server.post(&format!("/process/{pid}/signal"), &json!({ "signal": signal }))
}

#[test]
fn numbers_in_paths_are_taken_as_int_takes_them() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let pid = server.process(&nap.command(), &json!({"capture_output": true}));
    let get = |number: &str, rest: &str| server.call(&server.request("GET", &format!("/process/{number}{rest}")));
    for rest in ["", "/output"] {
        for number in [format!("+{pid}"), format!("%20{pid}"), format!("0{pid}"), format!("{pid}%0A")] {
            assert_eq!(get(&number, rest).ok()["pid"], pid, "{number}{rest}");
        }
        for number in ["x", "1.5", "0x10", "1e3", "%20", "--1"] {
            assert_eq!(get(number, rest).failed_as(400, "ValueError")["code"], json!(null), "{number}{rest}");
        }
        for number in ["0", "-1", "1", "99999999", "4294967297", "99999999999999999999999", &server.pid().to_string()] {
            assert_eq!(get(number, rest).failed_as(404, "NotFoundError")["code"], json!(null), "{number}{rest}");
        }
    }
    assert_eq!(get(&pid.to_string(), "/").ok()["pid"], pid);
    for method in ["POST", "DELETE"] {
        let target = format!("/process/{pid}");
        assert_eq!(server.call(&server.request(method, &target)).status, 404, "{method}");
    }
}

#[test]
fn checks_come_in_the_contracts_order() {
    let policy = json!({"endpoints": {"process_signal": {"params": {"allowed_signals": [15]}}}});
    let (server, nap) = (Setup::new().policy(&policy).start(), Nap::new());
    let pid = server.process(&nap.command(), &json!({})).to_string();
    let own = server.pid().to_string();
    for signal in [json!(null), json!("TERM"), json!([]), json!(1), json!(19), json!(0), json!(-9), json!("9x")] {
        for number in [pid.as_str(), "1", "0"] {
            assert_eq!(send(&server, number, &signal).failed_as(400, "ValueError")["code"], json!(null), "{signal}");
        }
        send(&server, "x", &signal).failed_as(400, "ValueError");
    }
    for number in [pid.as_str(), "1", "0", "99999999999999999999", &own] {
        let body = send(&server, number, &json!(9)).refused(403, "signal_not_allowed");
        assert_eq!(body["type"], "PolicyDenied");
    }
    for number in ["1", own.as_str()] {
        assert_eq!(send(&server, number, &json!(15)).failed_as(403, "PermissionError")["code"], json!(null));
    }
    send(&server, "0", &json!(15)).failed_as(404, "NotFoundError");
    assert_eq!(nap.sleepers().len(), 1);
    for (signal, number) in [(json!("15 "), 15), (json!(15.9), 15)] {
        let nap = Nap::new();
        let pid = server.process(&nap.command(), &json!({}));
        let answer = send(&server, &pid.to_string(), &signal).ok();
        assert_eq!(answer, json!({"pid": pid, "signal": number}));
        nap.is_gone();
    }
}

/// A process that has ended is signalled no more, whoever has its number now.
#[test]
fn a_process_that_has_ended_is_gone() {
    let server = Setup::new().start();
    let pid = server.process("true", &json!({})).to_string();
    let detail = || server.call(&server.request("GET", &format!("/process/{pid}"))).ok();
    wait::until_true("it has ended", || detail()["state"] == "exited");
    assert_eq!(detail()["exit_code"], 0);
    for signal in [2, 9, 15, 18, 20] {
        send(&server, &pid, &json!(signal)).failed_as(404, "NotFoundError");
    }
}

/// Children of calls that are answered are nobody's to signal.
#[test]
fn only_background_processes_are_there() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let mut connection = server.connect();
    connection.send(server.request("POST", "/shell").json(&json!({"command": nap.command()})).bytes());
    let pid = nap.begins();
    send(&server, &pid.to_string(), &json!(9)).failed_as(404, "NotFoundError");
    server.call(&server.request("GET", &format!("/process/{pid}"))).failed_as(404, "NotFoundError");
    assert_eq!(server.call(&server.request("GET", "/process/list")).ok(), json!({"processes": []}));
}

/// A stopped process is one that runs.
#[test]
fn a_process_stops_and_goes_on() {
    let (server, nap) = (Setup::new().start(), Nap::new());
    let pid = server.process(&nap.command(), &json!({}));
    let state = |wanted: char| {
        wait::until_true(&format!("its state is {wanted}"), || {
            look(u32::try_from(pid).unwrap()).is_some_and(|process| process.state == wanted)
        });
    };
    nap.begins();
    send(&server, &pid.to_string(), &json!(20)).ok();
    state('T');
    let detail = server.call(&server.request("GET", &format!("/process/{pid}"))).ok();
    assert_eq!((&detail["state"], &detail["exit_code"]), (&json!("running"), &json!(null)));
    send(&server, &pid.to_string(), &json!(18)).ok();
    state('S');
}
