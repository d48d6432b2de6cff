use super::Both;

const VALUES: [&str; 56] = [
    "1",
    "1.5",
    "1e21",
    "123456789012345680",
    "-0",
    "0 / 0",
    "1 / 0",
    "-1 / 0",
    "2n ** 80n",
    "-5n",
    "true",
    "'text'",
    "'\\u2028\\n\\t\"'",
    "null",
    "undefined",
    "Symbol('x')",
    "[]",
    "[1, , 3]",
    "[undefined, null, NaN]",
    "[[1], [[2]]]",
    "new Array(3)",
    "({})",
    "({a: 1, 'b c': [2], d: {e: null}})",
    "({a: undefined, b: () => 1, c: Symbol()})",
    "({get a() { return 5 }})",
    "Object.create({inherited: 1})",
    "new (class A { constructor() { this.x = 1 } get y() { return 2 } })",
    "new Date(0)",
    "new Date(1)",
    "new Date(1700000000123)",
    "({when: new Date(1000)})",
    "/a+b/gi",
    "new Error('bad')",
    "new TypeError('worse')",
    "new URL('http://user@example.com:8080/a/b?c=d#e')",
    "new Map([[1, 2]])",
    "new Set([1])",
    "new Uint8Array([1, 2, 255])",
    "new Float64Array([1.5, -0])",
    "document",
    "window",
    "document.body",
    "[document.body, 1]",
    "const shared = {}; [shared, shared]",
    "() => 5",
    "async () => 6",
    "function named() { return 7 }",
    "async function later() { return 8 }",
    "Promise.resolve({a: 1})",
    "new Promise(done => setTimeout(() => done('waited'), 50))",
    "let x = 1; x + 1",
    "{a: 1}",
    "if (true) 5; else 6",
    "for (const i of [1, 2]) i",
    "document.querySelectorAll('p').length",
    "(() => { 'use strict'; return typeof this })()",
];

const FAULTS: [&str; 10] = [
    "throw new Error('x')",
    "throw 5",
    "throw null",
    "nothing.there",
    "}{",
    "return 1",
    "await 1",
    "Promise.reject(new Error('no'))",
    "const a = {}; a.a = a; a",
    "const list = []; list.push({list}); list",
];

#[test]
fn values_are_the_same() {
    let both = Both::on("<p>a</p><p>b</p>");
    for script in VALUES {
        let answer = both.value(script);
        assert!(answer.get("ok").is_some(), "{script}: {answer}");
    }
}

#[test]
fn faults_are_the_same() {
    let both = Both::on("<p>a</p>");
    for script in FAULTS {
        assert_eq!(both.value(script)["error"], "Error", "{script}");
    }
    both.value("window.kept = 5");
    assert_eq!(both.value("window.kept")["ok"], "5");
}

#[test]
fn the_page_looks_the_same_from_within() {
    let both = Both::on("");
    for script in [
        "[innerWidth, innerHeight, screen.width, screen.height, devicePixelRatio]",
        "[navigator.language, navigator.languages, navigator.webdriver, navigator.onLine]",
        "navigator.userAgent",
        "Intl.DateTimeFormat().resolvedOptions().timeZone",
        "[document.hasFocus(), document.visibilityState]",
        "matchMedia('(prefers-color-scheme: dark)').matches",
    ] {
        both.value(script);
    }
}
