//! `process_output` (contract: process §8).

use serde_json::{Value, json};

use crate::harness::{Server, Setup, wait};

fn page(server: &Server, pid: u64, query: &str) -> Value {
    server.call(&server.request("GET", &format!("/process/{pid}/output{query}"))).ok()
}

fn text(page: &Value) -> String {
    page["events"].as_array().unwrap().iter().map(|event| event["data"].as_str().unwrap()).collect()
}

/// The whole of what a process wrote, once it has ended.
fn whole(server: &Server, pid: u64) -> Value {
    wait::until("it has ended", || {
        let page = page(server, pid, "?wait=1");
        (page["state"] == "exited").then(|| self::page(server, pid, ""))
    })
}

fn captured() -> Value {
    json!({"capture_output": true})
}

#[test]
fn one_event_is_one_read_of_a_pipe() {
    let server = Setup::new().start();
    let pid = server.process("sh -c 'head -c 10000 /dev/zero | tr \"\\0\" x | dd bs=10000 2>&-'", &captured());
    let events = whole(&server, pid)["events"].clone();
    let lengths: Vec<_> =
        events.as_array().unwrap().iter().map(|event| event["data"].as_str().unwrap().len()).collect();
    assert!(lengths.iter().all(|length| *length <= 4096), "{lengths:?}");
    assert_eq!(lengths.iter().sum::<usize>(), 10_000);
    for (seq, event) in events.as_array().unwrap().iter().enumerate() {
        assert_eq!(event["seq"], seq);
        assert_eq!(event.as_object().unwrap().len(), 3, "{event}");
    }
}

/// A line that is not at its end yet is there at once.
#[test]
fn a_prompt_is_there_at_once() {
    let server = Setup::new().start();
    let pid = server.process(
        "sh -c 'printf name:; read name; echo hello $name; echo oops >&2'",
        &json!({"capture_output": true, "stdin": true}),
    );
    let first = page(&server, pid, "?since=0&wait=30");
    assert_eq!(
        (&first["events"], &first["next"]),
        (&json!([{"seq": 0, "stream": "stdout", "data": "name:"}]), &json!(1))
    );
    assert_eq!(
        (&first["state"], &first["exit_code"], &first["dropped"]),
        (&json!("running"), &json!(null), &json!(false))
    );
    server.post(&format!("/process/{pid}/stdin"), &json!({"data": "me\n"})).ok();
    let page = whole(&server, pid);
    let streams: Vec<_> = page["events"].as_array().unwrap().iter().map(|event| event["stream"].clone()).collect();
    assert!(streams.contains(&json!("stderr")));
    assert!(text(&page).contains("hello me\n") && text(&page).contains("oops\n"));
}

/// Reading takes nothing away, from whatever number on.
#[test]
fn reading_does_not_consume() {
    let server = Setup::new().start();
    let pid = server.process("sh -c 'echo one; sleep 0.2; echo two; sleep 0.2; echo three'", &captured());
    let all = whole(&server, pid);
    assert_eq!((text(&all), &all["next"]), ("one\ntwo\nthree\n".to_owned(), &json!(3)));
    for (since, expected) in [("0", 3), ("1", 2), ("2", 1), ("3", 0), ("99", 0), ("-5", 3), ("%20+1_0", 0), ("", 3)] {
        for _ in 0..2 {
            let page = page(&server, pid, &format!("?since={since}"));
            assert_eq!(page["events"].as_array().unwrap().len(), expected, "{since}");
            assert_eq!((&page["next"], &page["state"]), (&json!(3), &json!("exited")), "{since}");
        }
    }
}

/// Several readers wait at once, and all of them see what comes.
#[test]
fn readers_wait_together() {
    let server = Setup::new().start();
    let pid = server.process("sh -c 'read x; echo $x'", &json!({"capture_output": true, "stdin": true}));
    std::thread::scope(|scope| {
        let server = &server;
        let readers: Vec<_> = (0..10).map(|_| scope.spawn(move || page(server, pid, "?wait=30"))).collect();
        let mut leaving = server.connect();
        leaving.send(server.request("GET", &format!("/process/{pid}/output?wait=30")).bytes());
        drop(leaving);
        server.post(&format!("/process/{pid}/stdin"), &json!({"data": "hi\n"})).ok();
        for reader in readers {
            assert_eq!(text(&reader.join().unwrap()), "hi\n");
        }
    });
}

/// The oldest go when there is no more room, whole ones, and that is told for ever.
#[test]
fn the_oldest_output_goes_first() {
    let policy = json!({"endpoints": {"process_start": {"limits": {"max_output_bytes": 10_000}}}});
    let server = Setup::new().policy(&policy).start();
    let pid = server.process("seq 1 20000", &captured());
    let page = whole(&server, pid);
    let (text, first) = (text(&page), page["events"][0]["seq"].as_u64().unwrap());
    assert_eq!(page["dropped"], true);
    assert!(text.len() <= 10_000 && first > 0, "{} bytes from {first}", text.len());
    let expected: String = (1..=20_000).map(|number| format!("{number}\n")).collect();
    assert!(expected.ends_with(&text) && text.len() > 2_000);
    let last = page["next"].as_u64().unwrap();
    assert_eq!(self::page(&server, pid, &format!("?since={last}"))["dropped"], true);
    let quiet = server.process("echo hi", &captured());
    assert_eq!(whole(&server, quiet)["dropped"], false);
}

#[test]
fn checks_come_in_the_contracts_order() {
    let server = Setup::new().start();
    let (kept, thrown) = (server.process("true", &captured()), server.process("true", &json!({})));
    let get = |pid: &str, query: &str| server.call(&server.request("GET", &format!("/process/{pid}/output{query}")));
    for query in ["?since=x", "?since=1.5", "?wait=x", "?wait=nan", "?since=1e3&wait=x"] {
        get("x", query).failed_as(400, "ValueError");
        get("99999999", query).failed_as(404, "NotFoundError");
        let thrown = get(&thrown.to_string(), query).failed_as(409, "ConflictError");
        assert_eq!(thrown["code"], json!(null));
        assert_eq!(get(&kept.to_string(), query).failed_as(400, "ValueError")["code"], json!(null), "{query}");
    }
    for query in ["?wait=-5", "?wait=1e300", "?wait=inf", "?since=99999999999999999999"] {
        wait::until_true("it has ended", || get(&kept.to_string(), query).ok()["state"] == "exited");
    }
}

/// What is captured is asked for by truth, and nothing of it is an error (contract: process §1.1).
#[test]
fn capture_is_asked_for_by_truth() {
    let server = Setup::new().start();
    for (asked, status) in [
        (json!(true), 200),
        (json!("no"), 200),
        (json!([0]), 200),
        (json!(0.1), 200),
        (json!(false), 409),
        (json!(0), 409),
        (json!(""), 409),
        (json!([]), 409),
        (json!({}), 409),
        (json!(null), 409),
    ] {
        let pid = server.process("true", &json!({"capture_output": asked}));
        let answer = server.call(&server.request("GET", &format!("/process/{pid}/output")));
        assert_eq!(answer.status, status, "{asked}");
    }
}
