//! B11: the last output or the exit code of a background process is lost.

use serde_json::json;

use crate::harness::{Setup, wait};

/// B11: both stay readable once it has ended, whoever has listed or started others meanwhile.
#[test]
fn the_end_of_a_process_stays_readable() {
    let server = Setup::new().start();
    let pid = server.process("sh -c 'echo bye; exit 7'", &json!({"capture_output": true}));
    let get = |target: &str| server.call(&server.request("GET", target)).ok();
    wait::until_true("it has left the list", || get("/process/list") == json!({"processes": []}));
    server.process("true", &json!({}));
    wait::until_true("so has the other", || get("/process/list") == json!({"processes": []}));
    for _ in 0..2 {
        let detail = get(&format!("/process/{pid}"));
        assert_eq!((&detail["state"], &detail["exit_code"]), (&json!("exited"), &json!(7)));
        let output = get(&format!("/process/{pid}/output"));
        let expected = json!({
            "pid": pid, "events": [{"seq": 0, "stream": "stdout", "data": "bye\n"}], "next": 1, "state": "exited",
            "exit_code": 7, "dropped": false,
        });
        assert_eq!(output, expected);
    }
}

/// A process that writes much right before its end loses none of it.
#[test]
fn the_last_output_is_whole() {
    let server = Setup::new().start();
    for _ in 0..10 {
        let pid = server.process("seq 1 20000", &json!({"capture_output": true}));
        let read = || server.call(&server.request("GET", &format!("/process/{pid}/output?wait=1"))).ok();
        wait::until_true("it has ended", || read()["state"] == "exited");
        let output = read();
        let text: String =
            output["events"].as_array().unwrap().iter().map(|event| event["data"].as_str().unwrap()).collect();
        let expected: String = (1..=20_000).map(|number| format!("{number}\n")).collect();
        assert!(text == expected, "{} of {} bytes", text.len(), expected.len());
        assert_eq!((&output["exit_code"], &output["dropped"]), (&json!(0), &json!(false)));
    }
}

/// The same of a call that is answered when the child has ended.
#[test]
fn the_last_output_of_a_call_is_whole() {
    let server = Setup::new().start();
    let expected: String = (1..=20_000).map(|number| format!("{number}\n")).collect();
    for _ in 0..10 {
        let answer = server.shell("seq 1 20000").ok();
        assert!(answer["stdout"] == expected.as_str(), "{}", answer["stdout"].as_str().unwrap().len());
        assert_eq!(answer.get("truncated"), None);
    }
}

/// A process in the list is one that runs, in order of their starts.
#[test]
fn the_list_is_what_runs() {
    let server = Setup::new().start();
    let pids: Vec<u64> = (0..3).map(|_| server.process("cat", &json!({"stdin": true}))).collect();
    let list = || server.call(&server.request("GET", "/process/list")).ok()["processes"].clone();
    let listed = || -> Vec<u64> { list().as_array().unwrap().iter().map(|row| row["pid"].as_u64().unwrap()).collect() };
    assert_eq!(listed(), pids);
    for row in list().as_array().unwrap() {
        let keys: Vec<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 4, "{keys:?}");
        assert_eq!((&row["command"], &row["state"]), (&json!("cat"), &json!("running")));
        assert!(row["started_at"].as_f64().unwrap() > 1.0e9, "{row}");
    }
    server.post(&format!("/process/{}/stdin", pids[1]), &json!({"eof": true})).ok();
    wait::until_true("it has left the list", || listed() == [pids[0], pids[2]]);
}
