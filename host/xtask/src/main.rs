//! `cargo xtask`: everything about this project that is more than one cargo call.
//!
//! It needs nothing but the standard library, so that the first thing a fresh clone shows is what is being done. Every
//! step is announced; what its program prints goes straight to the terminal. The first step that fails ends the run.
//!
//! Two rules for cargo calls: always the release profile, and never the server and the compiler in one call, since
//! cargo would then give the server the compiler's features.

mod bench;
mod build;
mod client;
mod conformance;
mod dist;
mod docs;
mod error;
mod guest;
mod lint;
mod needs;
mod places;
mod playwright;
mod serve;
mod step;
mod test;
mod test_browser;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use error::Failure;
use places::Places;

const USAGE: &str = "cargo xtask COMMAND

  build                the server with its built-in components, in target/release
  serve [ARGUMENT…]    build, then run `abxd serve` with these arguments
  test [FILTER]        build, then all tests; without a filter also the conformance suite
  test-browser [FILTER]  build, then the tests that need Chromium
  conformance [ARG…]   the conformance suite against the server built last
  bench [ARGUMENT…]    build, then the benchmarks
  lint                 formatting, clippy, documentation, dependencies
  dist                 a packed folder and its archive, in target/dist
  docs                 the table of endpoints in docs/http.md, from the manifests
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    match run(&command.to_string_lossy(), arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            step::say(&format!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: &str, arguments: Vec<OsString>) -> Result<(), Failure> {
    if matches!(command, "help" | "--help" | "-h") {
        return std::io::stdout().write_all(USAGE.as_bytes()).map_err(|source| Failure::io("standard output", source));
    }
    let places = Places::find()?;
    match (command, arguments.as_slice()) {
        ("build", []) => build::build(&places),
        ("serve", _) => serve::serve(&places, &arguments),
        ("test", [] | [_]) => test::test(&places, arguments.first()),
        ("test-browser", [] | [_]) => test_browser::test_browser(&places, arguments.first()),
        ("conformance", _) => conformance::conformance(&places, &arguments),
        ("bench", _) => bench::bench(&places, &arguments),
        ("lint", []) => lint::lint(&places),
        ("dist", []) => dist::dist(&places),
        ("docs", []) => docs::docs(&places),
        _ => Err(Failure::Usage { usage: USAGE }),
    }
}
