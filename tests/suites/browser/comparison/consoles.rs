use serde_json::json;

use super::Both;
use crate::harness::wait;

const CALLS: [&str; 29] = [
    "console.log('a', 1, true, null, undefined)",
    "console.log(-0, NaN, 1.5, 10n)",
    "console.log('%s and %d', 'x', 5)",
    "console.info('info')",
    "console.debug('debug')",
    "console.warn('warn')",
    "console.error('error')",
    "console.log({})",
    "console.log({a: 1, b: 'two', c: [1, 2], d: {e: 1}})",
    "console.log([1, 'two', [3]])",
    "console.log([])",
    "console.log(new Map([[1, 2]]), new Set([1]))",
    "console.log(new Date(0))",
    "console.log(/x/g)",
    "console.log(Symbol('s'))",
    "console.log(() => 1)",
    "console.log(function named() { return 1 })",
    "console.log(class A {})",
    "console.log(document.body)",
    "console.log(document)",
    "console.log(new Uint8Array([1, 2]))",
    "console.log(Promise.resolve(1))",
    "console.dir({a: 1})",
    "console.table([[1, 2]])",
    "console.assert(false, 'assertion')",
    "console.count('c')",
    "console.group('g')",
    "console.groupEnd()",
    "console.clear()",
];

/// A call without arguments is left out: the contract has an entry for it, Playwright none.
#[test]
fn consoles_are_the_same() {
    let both = Both::on("");
    // Of an icon that is not there, and that no page has asked for, Playwright alone tells.
    wait::until_true("the icon is missed", || both.stage.site.was_asked("/favicon.ico"));
    both.reference.does("console", &json!({}));
    for call in CALLS {
        both.value(&format!("{call}; 0"));
        // The reference hears of it in its own time, and so does the server.
        let drain = |ask: &dyn Fn() -> serde_json::Value| {
            wait::until(call, || {
                Some(ask()["ok"].clone()).filter(|logs| logs.as_array().is_some_and(|logs| !logs.is_empty()))
            })
        };
        let theirs = drain(&|| both.reference.does("console", &json!({})));
        let ours = drain(&|| super::ours(&both.stage, "console", &json!({})));
        assert_eq!(ours, theirs, "{call}");
    }
}
