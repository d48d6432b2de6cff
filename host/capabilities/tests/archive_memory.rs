//! Memory that archives take. Alone in its program: what is measured is the whole process.
#![allow(clippy::unwrap_used, reason = "a test that can't set its stage has failed")]

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::{ArchiveFormat, ArchiveOptions, archive};
use abxd_guards::path::{Access, PathGuard, PathRule, Protected};

/// Kilobytes of memory that the process had at most so far.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn memory_does_not_grow_with_what_is_packed() {
    let top = tempfile::tempdir().unwrap();
    let top = top.path().canonicalize().unwrap();
    let mut noise = vec![0_u8; 1 << 20];
    let mut seed = 1_u64;
    for byte in &mut noise {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *byte = (seed >> 56) as u8;
    }
    let mut file = fs::File::create(top.join("large")).unwrap();
    for _ in 0..24 {
        file.write_all(&noise).unwrap();
    }
    for number in 0..3000 {
        fs::write(top.join(format!("a-name-of-some-length-{number}")), "x").unwrap();
    }
    let guard = PathGuard::new(PathRule::default(), &top, &top, Arc::new(Protected::nothing()));
    let path = guard.check(top.as_os_str().as_bytes(), Access::Read).unwrap();
    let before = peak();
    for format in [ArchiveFormat::TarGz, ArchiveFormat::Zip] {
        let options = ArchiveOptions { format, max_files: 10_000, max_bytes: 1 << 30 };
        let made = archive(std::slice::from_ref(&path), &options, tempfile::tempfile, &Cancel::new()).unwrap();
        assert!(made.size > 1 << 20);
    }
    let grown = peak() - before;
    assert!(grown < 8 << 10, "{grown} kB more");
}
