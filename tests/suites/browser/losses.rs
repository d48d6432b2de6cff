use serde_json::{Value, json};

use crate::harness::{Answer, wait};
use crate::stage::{Stage, kill};

/// A page's address once it has been replaced: the call that finds it gone may say so, the next one has the new page.
#[track_caller]
fn replaced(stage: &Stage) -> Value {
    let ask = || stage.post("evaluate", &json!({"script": "location.href"}));
    let answer: Answer = ask();
    if answer.status == 200 {
        return answer.ok()["result"].clone();
    }
    answer.failed_as(500, "TargetClosedError");
    ask().ok()["result"].clone()
}

#[test]
fn a_page_that_crashes_is_replaced() {
    let stage = Stage::new();
    stage.show("here");
    stage.eval("document.cookie = 'a=1'");
    stage.renderers().into_iter().for_each(kill);
    assert_eq!(replaced(&stage), "about:blank");
    stage.go("/");
    assert_eq!(stage.eval("document.cookie"), "");
    stage.browser();
}

#[test]
fn a_page_that_closes_itself_is_replaced() {
    let stage = Stage::new();
    stage.eval("window.kept = 1");
    let closing = stage.post("evaluate", &json!({"script": "window.close(); new Promise(() => 0)"}));
    closing.failed_as(500, "TargetClosedError");
    assert_eq!(stage.eval("window.kept"), Value::Null);
}

#[test]
fn a_call_under_way_is_told_that_the_browser_went_away() {
    let stage = Stage::new();
    stage.show("here");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            stage.post("evaluate", &json!({"script": "window.waits = 1; new Promise(() => 0)", "timeout": 50_000}))
        });
        std::thread::sleep(std::time::Duration::from_millis(500));
        kill(stage.browser());
        waiting.join().unwrap().failed_as(500, "TargetClosedError");
    });
    assert_eq!(stage.go("/")["title"], "Home");
}

#[test]
fn what_a_client_that_left_was_doing_is_ended() {
    let stage = Stage::new();
    stage.show("here");
    stage.eval("window.kept = 1");
    let mut connection = stage.server.connect();
    let body = json!({"script": "window.begun = 1; while (true);", "timeout": 600_000});
    connection.send(stage.server.request("POST", "/browser/evaluate").json(&body).bytes());
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(connection);
    assert_eq!(stage.eval("[window.kept, window.begun]"), json!([1, 1]));
}

#[test]
fn a_page_that_opens_many_others_harms_itself_at_most() {
    let stage = Stage::new();
    stage.show("here");
    stage.eval("for (let i = 0; i < 40; i++) window.open('/'); 0");
    assert_eq!(stage.go("/")["title"], "Home");
    wait::until_true("there are few pages", || stage.renderers().len() < 20);
}
