use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Setup};
use crate::site::Site;
use crate::stage::{Stage, setup};

/// A server that knows Ada and Eve.
fn for_two() -> Setup {
    let identity =
        |id: &str| json!({"id": id, "token_env": format!("TOKEN_{id}"), "scopes": ["browser:use", "browser:evaluate"]});
    setup()
        .policy(&json!({"auth": {"tokens": [identity("ADA"), identity("EVE")]}}))
        .env("TOKEN_ADA", "ada-token-of-this-test")
        .env("TOKEN_EVE", "eve-token-of-this-test")
}

#[track_caller]
fn post(stage: &Stage, who: &str, name: &str, body: &Value) -> Answer {
    let request = stage.server.request("POST", &format!("/browser/{name}")).json(body);
    stage.server.call(&request.bearer(&format!("{who}-token-of-this-test")))
}

#[track_caller]
fn eval(stage: &Stage, who: &str, script: &str) -> Value {
    post(stage, who, "evaluate", &json!({"script": script, "timeout": 30_000})).ok()["result"].clone()
}

#[test]
fn callers_share_a_browser_and_nothing_in_it() {
    let stage = Stage { server: for_two().start(), site: Site::open() };
    stage.site.html("/", "<title>Home</title>");
    for who in ["ada", "eve"] {
        post(&stage, who, "navigate", &json!({"url": stage.site.url("/"), "wait_until": "load"})).ok();
    }
    eval(&stage, "ada", "document.cookie = 'a=1'; localStorage.a = 1; window.mine = 1; console.log('said'); 0");
    assert_eq!(eval(&stage, "eve", "[document.cookie, localStorage.length, window.mine]"), json!(["", 0, null]));
    assert_eq!(eval(&stage, "ada", "[document.cookie, localStorage.a, window.mine]"), json!(["a=1", "1", 1]));
    let console = |who: &str| {
        let request = stage.server.request("GET", "/browser/console");
        stage.server.call(&request.bearer(&format!("{who}-token-of-this-test"))).ok()["logs"].clone()
    };
    assert_eq!(console("eve"), json!([]));
    assert_eq!(console("ada")[0]["text"], "said");
    stage.browser();
}

#[test]
fn callers_do_not_wait_for_each_other_and_calls_of_one_take_turns() {
    let stage = Stage { server: for_two().start(), site: Site::open() };
    eval(&stage, "eve", "0");
    eval(&stage, "ada", "window.order = []; 0");
    std::thread::scope(|scope| {
        let busy = scope.spawn(|| {
            eval(&stage, "ada", "new Promise(done => setTimeout(() => { order.push(1); done(0) }, 3000))");
            Instant::now()
        });
        std::thread::sleep(Duration::from_millis(300));
        let next = scope.spawn(|| eval(&stage, "ada", "order.push(2); order"));
        eval(&stage, "eve", "1");
        let quick = Instant::now();
        assert!(quick < busy.join().unwrap());
        assert_eq!(next.join().unwrap(), json!([1, 2]));
    });
}
