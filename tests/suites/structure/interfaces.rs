//! A released interface is never edited: components that were built for it go on.
//!
//! `interfaces.sha256` is the picture of what is released. `ABXD_BLESS_WIT=1` takes a new one; whoever does that for a
//! folder that has been released breaks every component built for it.

use std::fmt::Write as _;
use std::fs;

use sha2::{Digest, Sha256};

use super::tree::{files, read};
use crate::harness::checkout;

const PICTURE: &str = "tests/suites/structure/interfaces.sha256";

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[test]
fn released_interfaces_are_as_they_were() {
    let now: String = files("wit", |path| path.extension().is_some_and(|end| end == "wit"))
        .iter()
        .map(|file| format!("{}  {}\n", digest(&read(file)), file.display()))
        .collect();
    assert!(!now.is_empty());
    if std::env::var_os("ABXD_BLESS_WIT").is_some() {
        fs::write(checkout().join(PICTURE), &now).unwrap();
    }
    let released = read(PICTURE);
    for line in released.lines() {
        let (_, file) = line.split_once("  ").unwrap();
        let is_kept = now.lines().any(|found| found == line);
        assert!(is_kept, "{file} is released and has changed: put the change into a new version's folder");
    }
    assert_eq!(now, released, "a new interface: take its picture with ABXD_BLESS_WIT=1");
}
