//! B02: what code started outlives its end by a timeout.

use serde_json::json;

use crate::dev_tools::{enabled, run};
use crate::harness::Nap;

/// B02: `{"language":"bash","code":"sleep 77 & sleep 78; echo x","timeout":1}`, and its neighbours in every language.
#[test]
fn a_timeout_ends_all_that_code_has_started() {
    let server = enabled().start();
    for (language, code) in [
        ("bash", "ONE & TWO; echo x"),
        ("bash", "(setsid ONE &) ; TWO"),
        ("bash", "trap '' TERM INT HUP; ONE & TWO & wait; wait; wait"),
        (
            "python",
            "import os, subprocess\nsubprocess.Popen('ONE', shell=True, start_new_session=True)\nos.system('TWO')",
        ),
        ("node", "const { exec } = require('child_process'); exec('ONE'); exec('setsid TWO')"),
    ] {
        let naps = [Nap::new(), Nap::new()];
        let code = code.replace("ONE", &naps[0].command()).replace("TWO", &naps[1].command());
        let answer = run(&server, language, &code, &json!({"timeout": 2})).failed_as(408, "TimeoutError");
        assert_eq!(answer["stdout"], "", "{language}");
        naps.iter().for_each(Nap::is_gone);
    }
}
