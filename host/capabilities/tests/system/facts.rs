//! The machine at one moment.

use std::fs;
use std::process::Command;

use abxd_capabilities::system::facts;

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn facts_are_those_of_the_usual_programs() {
    let facts = facts();
    let uname = [facts.os, facts.hostname, facts.arch];
    assert_eq!(uname.join(" "), said("uname", &["-snm"]));
    assert_eq!(facts.cpus.to_string(), said("getconf", &["_NPROCESSORS_ONLN"]));
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap();
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap();
    assert_eq!(format!("{} kB", facts.memory.total), total.trim());
    let disk = facts.disk.unwrap();
    assert_eq!(disk.total.to_string(), said("df", &["-B1", "--output=size", "/"]).lines().last().unwrap().trim());
    assert!(disk.available <= disk.free && disk.free <= disk.total);
    assert!(facts.load.0 >= 0.0 && facts.load.1 >= 0.0 && facts.load.2 >= 0.0);
}

#[test]
fn limits_are_above_nothing() {
    let limits = facts().limits;
    assert!(limits.memory.is_none_or(|bytes| bytes > 0), "{limits:?}");
    assert!(limits.cpu.is_none_or(|processors| processors > 0.0), "{limits:?}");
}
