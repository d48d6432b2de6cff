//! What the machine is, and how busy (contract: system).

use serde_json::{Value, json};

use crate::harness::{Server, Setup, wait};

fn number(body: &Value, name: &str) -> f64 {
    body[name].as_f64().unwrap_or_else(|| panic!("{name}: {body}"))
}

#[test]
fn info_and_metrics_agree() {
    let server = Setup::new().start();
    let info = server.call(&server.request("GET", "/system/info")).ok();
    let metrics = server.call(&server.request("GET", "/system/metrics")).ok();
    for name in ["memory_total_mb", "disk_total_gb"] {
        assert_eq!(info[name], metrics[name]);
    }
    assert!(info["cpu_count"].as_u64().unwrap() >= 1);
    for name in ["os", "arch", "hostname"] {
        assert!(!info[name].as_str().unwrap().is_empty(), "{name}");
    }
    for name in ["memory_percent", "disk_percent"] {
        assert!((0.0..=100.0).contains(&number(&metrics, name)), "{name}");
    }
    for name in ["cpu_load_1m", "cpu_load_5m", "cpu_load_15m", "memory_used_mb", "disk_used_gb"] {
        assert!(number(&metrics, name) >= 0.0, "{name}");
    }
    assert!(number(&info, "disk_free_gb") <= number(&info, "disk_total_gb"));
}

#[test]
fn uptime_is_the_servers_own() {
    let server = Setup::new().start();
    let uptime = || number(&server.call(&server.request("GET", "/system/metrics")).ok(), "uptime_seconds");
    let first = uptime();
    assert!(first < 600.0, "{first}");
    wait::until_true("it grows", || uptime() > first);
}

/// The version is that of the program that `python3` stands for on the server's own path, and is asked for once.
#[test]
fn python_is_the_one_on_the_servers_path() {
    let setup = Setup::new();
    let bin = setup.place("bin");
    std::fs::create_dir(&bin).unwrap();
    let asked = setup.place("asked");
    let script = format!("#!/bin/sh\necho x >> {}\necho Python 3.98.7\n", asked.display());
    executable(&bin.join("python3"), &script);
    let server = setup.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).start();
    for _ in 0..3 {
        assert_eq!(server.call(&server.request("GET", "/system/info")).ok()["python_version"], "3.98.7");
    }
    assert_eq!(std::fs::read_to_string(asked).unwrap(), "x\n");
}

#[test]
fn without_python_the_version_is_empty() {
    let setup = Setup::new();
    let bin = setup.place("bin");
    std::fs::create_dir(&bin).unwrap();
    let server = setup.env("PATH", &bin).start();
    assert_eq!(server.call(&server.request("GET", "/system/info")).ok()["python_version"], "");
    let packages: Value = server.call(&server.request("GET", "/packages")).ok();
    assert_eq!(packages, json!({"manager": "pip", "packages": []}));
}

pub(super) fn executable(path: &std::path::Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

pub(super) fn get(server: &Server, target: &str) -> Value {
    server.call(&server.request("GET", target)).ok()
}
