use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn values_are_as_the_contract_has_them() {
    let stage = Stage::new();
    stage.show("<p id=p>x</p>");
    for (script, value) in [
        ("1 + 1", json!(2)),
        ("() => 5", json!(5)),
        ("async () => 'later'", json!("later")),
        ("function f() { return [1, , undefined] }", json!([1, null, null])),
        ("undefined", Value::Null),
        ("NaN", Value::Null),
        ("({a: 1, b: () => 1, c: Symbol()})", json!({"a": 1, "b": null, "c": null})),
        ("{a: 1}", json!(1)),
        ("new Date(1)", json!("1970-01-01 00:00:00.001000+00:00")),
        ("/a+/gi", json!("/a+/gi")),
        ("new Error('bad')", json!("bad")),
        ("new Map([[1, 2]])", json!({})),
        ("document.body", json!("ref: <Node>")),
        ("[window, document]", json!(["ref: <Window>", "ref: <Document>"])),
        ("const o = {}; [o, o]", json!([{}, {}])),
        ("   ", Value::Null),
    ] {
        assert_eq!(stage.eval(script), value, "{script}");
    }
    let text = |script: &str| stage.post("evaluate", &json!({"script": script})).text();
    assert_eq!(text("2n ** 70n"), r#"{"result":1180591620717411303424}"#);
    assert_eq!(text("[-0, 1.5, 123456789012345680]"), r#"{"result":[-0.0,1.5,123456789012345680]}"#);
    assert_eq!(text("'\\ud800'"), r#"{"result":"\ud800"}"#);
}

#[test]
fn what_cannot_be_answered_is_an_error_and_the_page_stays() {
    let stage = Stage::new();
    stage.show("x");
    stage.eval("window.kept = 1");
    for script in [
        "throw new TypeError('boom')",
        "Promise.reject(new Error('no'))",
        "}",
        "const a = {}; a.a = a; a",
        "'x'.repeat(2 ** 25 + 1)",
    ] {
        stage.post("evaluate", &json!({"script": script})).failed_as(500, "Error");
        assert_eq!(stage.eval("window.kept"), 1, "{script}");
    }
    let failed = stage.post("evaluate", &json!({"script": "throw new TypeError('boom')"})).failed_as(500, "Error");
    assert!(failed["error"].as_str().unwrap().contains("TypeError: boom"), "{failed}");
}

#[test]
fn a_script_ends_with_its_time_and_the_page_is_usable() {
    let stage = Stage::new();
    stage.show("x");
    stage.eval("window.kept = 1");
    for script in ["while (true);", "new Promise(() => 0)", "new Promise(() => { while (true); })"] {
        let began = Instant::now();
        stage.post("evaluate", &json!({"script": script, "timeout": 500})).failed_as(500, "TimeoutError");
        assert!(began.elapsed() < Duration::from_secs(15), "{script}");
        assert_eq!(stage.eval("window.kept"), 1, "{script}");
    }
}
