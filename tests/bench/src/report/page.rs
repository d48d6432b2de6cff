//! The page that is kept.

use super::{Machine, figure_table, goal_table};
use crate::figures::{Figure, goals};

/// What stands before the figures.
const OPENING: &str = "\
# Benchmarks

Written by `cargo xtask bench --write docs/benchmarks.md` (`just bench --write docs/benchmarks.md`); not edited by hand.
One run measures four servers on the same files, under the same policy, with the same token:

- **abxd** as it is built, with its components;
- **native**: the same pipeline, policy and guards, but with handlers inside the host in place of components. What it is
  faster by is what a component costs;
- a **plain file stream**: the async runtime's file and the HTTP library with 256 KiB buffers, and nothing in between;
- the **reference**, whose contract abxd keeps.

Every workload runs in rounds, in each round on every server in turn. Cells are medians of the rounds, with minimum and
maximum in brackets; ratios are of medians. The load generator, one thread, runs on the same machine, so that rates are
below what a server could do alone; CPU times are the server's own, in user mode and in the kernel. Ratios and CPU times
say more than rates.
";

/// What stands after them.
const CLOSING: &str = "\
Where the reference has no such endpoint, its nearest one is measured: `files_upload_stream` and `files_download_stream`,
which carry the same file as base64. It answers each connection once, so that connecting is part of its times. `–`: there
is no such figure.

*Refused argument*: a stat without a path. The component is entered, refuses and is left, and asks the host for nothing.
*RSS added*: the peak of a fresh process during the downloads, less what was resident before them; slow clients read
64 KiB every 20 ms. *Start*: from the start of the process to the status line of the first answer; files are cached.

*Commands*: where `true` is run, the column of the native server has a loop of the standard library that starts it with
both outputs piped and waits for it, with as many threads as there are connections. The server's CPU time does not count
its children's. *Storm*: a shell that starts processes as fast as it can.

*Without end*: calls of a component that computes until it is ended, one tick of 10 ms at a time; `/health` is asked for
200 times a second at fixed times, and a request's time is from when it was due. *Reloads*: policy and a plugin are
replaced together every 0.7 s, with SIGHUP or without; each answer has to be of one set, whole, and on its first try.
*Watch*: the files are made by the load generator's machine as fast as it can.

The long attack on the guards, a million swaps of paths for links under running operations, is a run of its own:
`ABXD_ATTACK_SWAPS=1000000 cargo test --release -p abxd-capabilities --test files swaps_`.
";

/// The whole page.
#[must_use]
pub fn page(machine: &Machine, figures: &[Figure]) -> String {
    format!(
        "{OPENING}\n## Machine\n\n{}\n## To be reached\n\n{}\n## Figures\n\n{}\n{CLOSING}",
        machine.list(),
        goal_table(&goals(figures)),
        figure_table(figures),
    )
}
