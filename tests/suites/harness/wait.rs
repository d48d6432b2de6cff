//! Waiting for conditions. Nothing here waits for time to pass.

use std::io::ErrorKind;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Far beyond anything that a passing test waits for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Between two looks at a condition that nothing announces.
const PAUSE: Duration = Duration::from_millis(2);

/// Ask until there is an answer.
#[track_caller]
pub(crate) fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(Instant::now() < end, "waited {} s: {what}", PATIENCE.as_secs());
        std::thread::sleep(PAUSE);
    }
}

/// Start a program. One that was just copied is busy while a child of another test, not yet a program of its own, still
/// holds the descriptor that it was written through.
#[track_caller]
pub(crate) fn spawned(command: &mut Command) -> Child {
    let child = until("the program is not busy", || match command.spawn() {
        Err(cause) if cause.kind() == ErrorKind::ExecutableFileBusy => None,
        other => Some(other),
    });
    child.unwrap_or_else(|cause| panic!("{command:?}: {cause}"))
}

/// Ask until it is so.
#[track_caller]
pub(crate) fn until_true(what: &str, mut ask: impl FnMut() -> bool) {
    until(what, || ask().then_some(()));
}
