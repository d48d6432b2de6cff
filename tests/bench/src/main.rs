//! `abxd-bench`: one run of all benchmarks. Exit code 0 whether the goals are reached or not: a benchmark is no test.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use abxd_bench::figures::{Effort, Part, Site};
use abxd_bench::report::{Machine, page};
use abxd_bench::servers::{Bed, Places, Reference, Starter};
use clap::Parser;

/// Measure abxd, a native server of the same pipeline, and the reference.
#[derive(Debug, Parser)]
#[command(name = "abxd-bench")]
struct Options {
    /// Fewer and shorter rounds: for a first look.
    #[arg(long)]
    quick: bool,
    /// Measure only these parts: start, memory, stat, list, transfers, trees, processes, browser, plugins, terminals.
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = part)]
    only: Vec<Part>,
    /// Do without the reference.
    #[arg(long)]
    no_reference: bool,
    /// Also write the page to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// The server to measure [default: ABXD_BIN, else the one beside this program].
    #[arg(long, value_name = "PROGRAM")]
    abxd: Option<PathBuf>,
}

/// Why a run ended, in words.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&format!("error: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<(), Failure> {
    let places = Places::find(options.abxd.or_else(|| std::env::var_os("ABXD_BIN").map(PathBuf::from)))?;
    let reference = if options.no_reference { None } else { Some(install(&places)?) };
    let mut machine = Machine::look(&places, reference.as_ref())?;
    say("==> making the files");
    let bed = Bed::make(&places.scratch)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let starter = Starter { places: &places, bed: &bed, reference: reference.as_ref() };
    let effort = if options.quick { Effort::QUICK } else { Effort::FULL };
    let site = Site { starter, runtime: &runtime, effort };
    let (mut figures, mut failed) = (Vec::new(), Vec::new());
    for part in Part::ALL.into_iter().filter(|part| options.only.is_empty() || options.only.contains(part)) {
        say(&format!("==> measuring {}", part.name()));
        // What the others measured is not lost with one of them.
        match part.measure(&site) {
            Ok(measured) => figures.extend(measured),
            Err(cause) => {
                say(&format!("error: {}: {cause}", part.name()));
                failed.push(part.name());
            }
        }
    }
    machine.ends();
    let page = page(&machine, &figures);
    std::io::stdout().write_all(page.as_bytes())?;
    if let Some(file) = options.write {
        std::fs::write(file, page)?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not measured: {}", failed.join(", ")).into()) }
}

fn part(name: &str) -> Result<Part, String> {
    let known = Part::ALL.into_iter().find(|part| part.name() == name);
    known.ok_or_else(|| format!("there is no such part; there are: {}", Part::ALL.map(Part::name).join(", ")))
}

fn install(places: &Places) -> Result<Reference, Failure> {
    say("==> installing the reference, where it is not there yet");
    Ok(Reference::install(&places.scratch)?)
}

/// A line on the terminal.
fn say(line: &str) {
    // A terminal that is gone is no reason to stop measuring.
    let _ = writeln!(std::io::stderr(), "{line}");
}
