//! B14: a long script fails, as its argument list is too long.

use serde_json::json;

use crate::dev_tools::{enabled, run};

/// B14: 200 kB of Python; in the other languages, and of all lengths up to the limit of a body.
#[test]
fn code_of_any_length_runs_as_the_main_program() {
    let server = enabled().start();
    for length in [1_000, 131_071, 131_072, 200_000, 9_000_000] {
        for (language, comment, code, said) in [
            ("python", "#", "import sys; print(__name__, sys.argv, repr(sys.stdin.read()))", "__main__ ['-c'] ''\n"),
            ("bash", "#", "echo \"$0 $# $(cat)\"", "bash 0 \n"),
            (
                "node",
                "//",
                "console.log(require('fs').readFileSync(0).length, typeof require, __filename)",
                "0 function [eval]\n",
            ),
        ] {
            let before = std::fs::read_dir(server.base()).unwrap().count();
            let filling = "x".repeat(length - comment.len() - code.len() - 1);
            let answer = run(&server, language, &format!("{comment}{filling}\n{code}"), &json!({})).ok();
            assert_eq!(
                (&answer["stdout"], &answer["exit_code"]),
                (&json!(said), &json!(0)),
                "{language} {length}: {answer}"
            );
            assert_eq!(std::fs::read_dir(server.base()).unwrap().count(), before, "nothing is left behind");
        }
    }
}
