//! Measurements, not limits: run with `--ignored --nocapture` and `--release`.

use std::fs;

use super::{FORMATS, options, pack_with};
use crate::tree::Tree;

#[test]
#[ignore = "prints a measurement"]
fn measure_ten_thousand_files() {
    for size in [0, 100, 4_000] {
        let tree = Tree::new();
        let line = "a line of text that is not all the same: ";
        for number in 0..10_000 {
            let mut content: String = (0..).map(|row| format!("{line}{row} {number}\n")).take(size / 45 + 1).collect();
            content.truncate(size);
            tree.file(&format!("t/d{}/file-{number}.txt", number % 100), &content);
        }
        for format in FORMATS {
            let start = cpu_time();
            let made = pack_with(&tree, &["t"], &options(format)).unwrap().len();
            println!("{format:?} of files of {size} bytes: {made} bytes in {} ms", (cpu_time() - start) / 1_000_000);
        }
    }
}

/// Nanoseconds that this thread has computed, whatever else the machine does.
fn cpu_time() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}
