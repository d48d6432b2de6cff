use std::time::{Duration, Instant};

use abxd_browser::Failure;
use serde_json::json;

use crate::rig::{PATIENCE, on_page};
use crate::site::Reply;

#[test]
fn values_are_json_as_the_contract_has_it() {
    on_page(async |tab| {
        for (script, value) in [
            ("1 + 1", json!(2)),
            ("undefined", json!(null)),
            ("null", json!(null)),
            ("Symbol('a')", json!(null)),
            ("class A {}", json!(null)),
            ("({f: () => 1, u: undefined, s: Symbol('x')})", json!({"f": null, "u": null, "s": null})),
            ("1.0", json!(1)),
            ("1.5", json!(1.5)),
            ("123456789012345680", json!(123456789012345680_i64)),
            ("[NaN, Infinity, -Infinity]", json!([null, null, null])),
            ("123n", json!(123)),
            ("'a\"é'", json!("a\"é")),
            ("true", json!(true)),
            ("[1, , undefined]", json!([1, null, null])),
            ("new Uint8Array([1, 2])", json!([1, 2])),
            ("new (class { constructor() { this.a = 1 } get b() { return 2 } })", json!({"a": 1})),
            ("new Date(0)", json!("1970-01-01 00:00:00+00:00")),
            ("new Date(1)", json!("1970-01-01 00:00:00.001000+00:00")),
            ("new Date(1795971769350)", json!("2026-11-29 17:02:49.350000+00:00")),
            ("new URL('https://u@h.test:8/a/b?q=1#f')", json!(["https", "u@h.test:8", "/a/b", "", "q=1", "f"])),
            ("/a.b/gi", json!("/a.b/gi")),
            ("new Error('no')", json!("no")),
            ("({m: new Map([[1, 2]]), s: new Set([1]), b: new ArrayBuffer(2)})", json!({"m": {}, "s": {}, "b": {}})),
            ("document.body", json!("ref: <Node>")),
            ("window", json!("ref: <Window>")),
            ("document", json!("ref: <Document>")),
            ("document.querySelectorAll('html')", json!({"0": "ref: <Node>"})),
            ("a = {x: 1}; [a, a]", json!([{"x": 1}, {"x": 1}])),
            ("() => 5", json!(5)),
            ("function f() { return 6 }", json!(6)),
            ("async function f() { return 7 }", json!(7)),
            ("async () => { await 0; return [8] }", json!([8])),
            ("Promise.resolve({a: 1})", json!({"a": 1})),
            ("{a: 1}", json!(1)),
            ("let kept = 1; kept + 1", json!(2)),
            ("let kept = 2; kept + 1", json!(3)),
            ("  ", json!(null)),
            ("document.documentElement.getBoundingClientRect().width", json!(1280)),
        ] {
            assert_eq!(tab.eval(script).await, value, "{script}");
        }
        let raw = async |script: &str| tab.browser.evaluate(&tab.identity, script.to_owned(), PATIENCE).await.unwrap();
        assert_eq!(raw("-0").await, "-0.0");
        assert_eq!(raw("12345678901234567890123n").await, "12345678901234567890123");
        assert_eq!(raw("'\\ud800'").await, r#""\ud800""#);
    });
}

#[test]
fn an_error_of_the_script_is_its_own_and_the_page_stays() {
    on_page(async |tab| {
        tab.eval("window.kept = 7").await;
        for (script, words) in [
            ("nope.nope", "ReferenceError: nope is not defined"),
            ("Promise.reject(new Error('x'))", "Error: x"),
            ("throw 'plain'", "plain"),
            ("1 +", "SyntaxError"),
            ("a = []; a[0] = a", "contains itself"),
            ("await 1", "SyntaxError"),
            ("return 1", "SyntaxError"),
            ("(function f() { f() })()", "RangeError"),
        ] {
            match tab.evaluate(script, PATIENCE).await {
                Err(Failure::Script(message)) => assert!(message.contains(words), "{script}: {message}"),
                other => panic!("{script}: {other:?}"),
            }
        }
        assert_eq!(tab.eval("window.kept").await, 7);
    });
}

#[test]
fn a_script_ends_with_its_time_and_the_page_is_usable() {
    on_page(async |tab| {
        tab.eval("window.kept = 7").await;
        for script in [
            "while (true);",
            "new Promise(() => 0)",
            "(async () => { while (true) await 0; })()",
            "(async () => { await new Promise(r => setTimeout(r, 50)); while (true); })()",
            "setTimeout(() => { while (true); }, 10); new Promise(() => 0)",
        ] {
            let before = Instant::now();
            match tab.evaluate(script, Duration::from_millis(500)).await {
                Err(Failure::TimedOut { .. }) => {}
                other => panic!("{script}: {other:?}"),
            }
            assert!(before.elapsed() < Duration::from_secs(15), "{script}");
            assert_eq!(tab.evaluate("window.kept", PATIENCE).await.unwrap(), 7, "{script}");
        }
        assert_eq!(tab.eval("new Promise(r => setTimeout(() => r(3), 700))").await, 3);
    });
}

#[test]
fn a_strict_content_security_policy_does_not_stop_it() {
    on_page(async |tab| {
        let headers = "Content-Type: text/html\r\nContent-Security-Policy: default-src 'none'; script-src 'none'; require-trusted-types-for 'script'\r\n";
        tab.put("/", Reply::Raw("200 OK", headers.into(), "<title>Strict</title><p id=a>x</p>".into()));
        tab.go("/").await;
        assert_eq!(tab.eval("document.title + 1").await, "Strict1");
        tab.screenshot(Some("#a"), false).await.unwrap();
    });
}

#[test]
fn a_navigation_meanwhile_is_an_error_of_the_script() {
    on_page(async |tab| {
        tab.html("/next", "<title>Next</title>");
        tab.show("x").await;
        match tab.evaluate("location.href = '/next'; new Promise(() => 0)", PATIENCE).await {
            Err(Failure::Script(_)) => {}
            other => panic!("{other:?}"),
        }
        tab.until("document.title", "Next").await;
    });
}

#[test]
fn a_result_has_a_size() {
    on_page(async |tab| {
        assert_eq!(tab.eval("'x'.repeat(8 << 20).length").await, 8 << 20);
        assert_eq!(tab.eval("'x'.repeat(8 << 20)").await.as_str().unwrap().len(), 8 << 20);
        for script in ["'x'.repeat(40 << 20)", "'€'.repeat(20 << 20)", "Array(1e9)"] {
            let large = tab.evaluate(script, PATIENCE).await;
            assert!(matches!(large, Err(Failure::TooLarge(_) | Failure::Script(_))), "{script}");
        }
        assert_eq!(tab.eval("1").await, 1);
    });
}

#[test]
fn the_page_is_as_playwright_starts_it() {
    on_page(async |tab| {
        let facts = "[innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height, navigator.language, navigator.webdriver, \
             document.visibilityState, document.hasFocus(), /HeadlessChrome/.test(navigator.userAgent), location.href]";
        let expected = json!([1280, 720, 1, 1280, 720, "en-US", true, "visible", true, true, "about:blank"]);
        assert_eq!(tab.eval(facts).await, expected);
        tab.show("x").await;
        assert_eq!(tab.eval("[innerWidth, innerHeight, document.hasFocus()]").await, json!([1280, 720, true]));
    });
}
