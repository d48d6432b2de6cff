//! Code in its interpreters (`contract: dev_tools`, decision D37).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::code::{Language, Script, run};
use abxd_capabilities::process::{Environment, Finished, RunFailure, RunOptions, Settings, Supervisor};
use abxd_guards::process::ProcessGuard;

/// Far beyond what any code here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// More than fits into one argument.
const LARGE: usize = 200_000;

fn supervisor() -> Supervisor {
    let supervisor = Supervisor::start(Environment::inherited(), Settings::new(std::env::temp_dir())).unwrap();
    // Its end would be that of all children, also those of tests that run beside this one.
    std::mem::forget(supervisor.clone());
    supervisor
}

async fn ran(language: Language, code: String) -> (i32, String, String) {
    let guard = ProcessGuard::new(&std::env::var_os("PATH").unwrap(), Path::new("/"));
    let program = guard.check(&[language.program().to_owned()], Path::new("/")).unwrap();
    let script = Script { language, program, code, hidden: Arc::default() };
    let options = RunOptions { timeout: PATIENCE, most_output: None };
    let done: Result<Finished, RunFailure> = run(&supervisor(), script, options, std::future::pending()).await;
    let done = done.unwrap();
    let text =
        |captured: abxd_capabilities::process::Captured| String::from_utf8(captured.text.read().unwrap()).unwrap();
    (done.exit.code(), text(done.stdout), text(done.stderr))
}

/// What each language says of where its code runs: whether it is the main program, its arguments, its input, its
/// descriptors above the usual ones.
fn curious(language: Language) -> &'static str {
    match language {
        Language::Python => {
            "import os, sys\nassert 'code' not in globals()\n\
             own = [n for n in os.listdir('/proc/self/fd') if int(n) > 2 and os.path.exists('/proc/self/fd/' + n)]\n\
             print(__name__, sys.argv, repr(sys.path[0]), repr(sys.stdin.read()), os.getcwd() == os.path.realpath('.'), own)\n\
             sys.exit(7)\n"
        }
        Language::Node => {
            "const fs = require('fs'); if (typeof code !== 'undefined') throw 1;\n\
             const files = fs.readdirSync('/proc/self/fd').map(n => { try { return fs.readlinkSync('/proc/self/fd/' + n) } \
             catch { return '' } });\n\
             console.log(process.argv.length, __filename, require.main, JSON.stringify(fs.readFileSync(0, 'utf8')), \
             this === globalThis, files.filter(n => n.includes('memfd')).length);\n\
             process.exitCode = 7;\n"
        }
        Language::Bash => {
            "echo \"$0 $# $- $(cat | wc -c)\"; ls /proc/self/fd | wc -l; cat <<end\nhere\nend\n\
             f() { return 7; }; f; exit $?\n"
        }
    }
}

fn comment(language: Language) -> &'static str {
    if language == Language::Node { "//" } else { "#" }
}

#[tokio::test]
async fn large_code_sees_what_small_code_sees() {
    for language in Language::ALL {
        let code = curious(language).to_owned();
        let padding = format!("{}{}\n", comment(language), "x".repeat(LARGE));
        let small = ran(language, code.clone()).await;
        assert_eq!((small.0, &*small.2), (7, ""), "{small:?}");
        for large in [format!("{padding}{code}"), format!("{code}{padding}")] {
            assert_eq!(ran(language, large).await, small, "{language:?}");
        }
    }
}

#[tokio::test]
async fn code_of_every_length_around_the_limit_runs() {
    for length in [131_070, 131_071, 131_072, 131_073] {
        for language in Language::ALL {
            let (end, call) = match language {
                Language::Python => ("'", "print(len('"),
                Language::Node => ("'", "console.log(('"),
                Language::Bash => ("'", "x='"),
            };
            let tail = match language {
                Language::Python => format!("{end}))"),
                Language::Node => format!("{end}).length)"),
                Language::Bash => format!("{end};echo ${{#x}}"),
            };
            let filling = length - call.len() - tail.len();
            let code = format!("{call}{}{tail}", "y".repeat(filling));
            assert_eq!(code.len(), length);
            let (exit, stdout, stderr) = ran(language, code).await;
            assert_eq!((exit, stdout), (0, format!("{filling}\n")), "{language:?} {length}: {stderr}");
        }
    }
}

#[tokio::test]
async fn text_of_any_kind_arrives() {
    let padding = |language| format!("{}{}\n", comment(language), "é".repeat(LARGE / 2));
    for (language, code) in [
        (Language::Python, "print('\u{2713} \u{1f923}')"),
        (Language::Node, "console.log('\u{2713} \u{1f923}')"),
        (Language::Bash, "echo '\u{2713} \u{1f923}'"),
    ] {
        let (exit, stdout, _) = ran(language, format!("{}{code}\n\n\n", padding(language))).await;
        assert_eq!((exit, &*stdout), (0, "\u{2713} \u{1f923}\n"));
    }
}

#[tokio::test]
async fn a_mistake_in_large_code_is_told_as_in_small_code() {
    for (language, code, said) in [
        (Language::Python, "raise ValueError('bad')", "ValueError: bad"),
        (Language::Python, "def f(:\n", "SyntaxError"),
        (Language::Node, "throw new RangeError('bad')", "RangeError: bad"),
        (Language::Node, "let x = ;", "SyntaxError"),
        (Language::Bash, "nosuchcommand", "nosuchcommand: command not found"),
        (Language::Bash, "if then", "syntax error"),
    ] {
        let (exit, _, stderr) = ran(language, format!("{}{}\n{code}\n", comment(language), "x".repeat(LARGE))).await;
        assert!(exit != 0 && stderr.contains(said), "{language:?} {code}: {stderr}");
    }
}

#[tokio::test]
async fn what_large_bash_starts_has_no_descriptor_of_it() {
    let code = format!(
        "#{}\nls -l /proc/self/fd | grep memfd; sleep 0.01 & wait; exec ls -l /proc/self/fd",
        "x".repeat(LARGE)
    );
    let (exit, stdout, _) = ran(Language::Bash, code).await;
    assert!(exit == 0 && !stdout.contains("memfd"), "{stdout}");
}
