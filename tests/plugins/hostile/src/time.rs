//! Using up time.

use std::hint::black_box;
use std::time::Duration;

use abx_sdk::{Problem, Response, clock, files};

pub(crate) fn compute() -> ! {
    loop {
        black_box(());
    }
}

pub(crate) fn spin_on_the_clock() -> ! {
    loop {
        black_box(clock::now());
    }
}

pub(crate) fn spin_on_stat() -> ! {
    loop {
        // Whatever it says, it is asked again.
        let _ = black_box(files::stat(b"."));
    }
}

/// Through WASI, where waiting is no host call of ours.
pub(crate) fn sleep() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1 << 30));
    }
}

pub(crate) fn recurse() -> Result<Response, Problem> {
    fn down(level: u64) -> u64 {
        if black_box(true) { down(black_box(level) + 1) + level } else { level }
    }
    black_box(down(0));
    Ok(Response::empty(204))
}

#[expect(clippy::panic, reason = "that is what it is for")]
pub(crate) fn panic() -> ! {
    panic!("a secret of the plugin")
}
