//! `system_info`: what the machine is. Contract: system.

use abx_sdk::system::{self, Machine};
use abx_sdk::{Response, json};

use crate::unit::{gib, mib};

pub(crate) fn info() -> Response {
    let version = system::python_version().unwrap_or_default();
    Response::json(answer(&system::facts(), &version))
}

fn answer(machine: &Machine, python: &str) -> Vec<u8> {
    json::object(320, |answer| {
        answer.text("os", &machine.os);
        answer.text("arch", &machine.arch);
        answer.integer("cpu_count", machine.cpus);
        answer.integer("memory_total_mb", mib(machine.memory.total));
        answer.integer("memory_available_mb", mib(machine.memory.available));
        answer.float("disk_total_gb", machine.disk.map_or(0.0, |disk| gib(disk.total)));
        answer.float("disk_free_gb", machine.disk.map_or(0.0, |disk| gib(disk.available)));
        answer.text("python_version", python);
        answer.text("hostname", &machine.hostname);
        // What the control group leaves of it, beyond the contract.
        if let Some(bytes) = machine.limits.memory {
            answer.integer("memory_limit_mb", bytes >> 20);
        }
        if let Some(processors) = machine.limits.cpu {
            answer.float("cpu_quota", processors);
        }
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::answer;
    use abx_sdk::system::{Disk, Limits, Machine, Memory};
    use serde_json::{Value, json};

    pub(crate) fn machine() -> Machine {
        Machine {
            os: "Linux".into(),
            arch: "x86_64".into(),
            hostname: "vm".into(),
            cpus: 2,
            memory: Memory { total: 24_683_652, available: 23_506_944 },
            disk: Some(Disk { total: 270_553_174_016, free: 254_314_590_208, available: 81_334_165_504 }),
            load: (3.170_000_076, 2.599_999_904, 1.529_999_971),
            uptime: 204.94,
            limits: Limits { memory: None, cpu: None },
        }
    }

    fn read(machine: &Machine) -> Value {
        serde_json::from_slice(&answer(machine, "3.11.7")).unwrap()
    }

    #[test]
    fn the_machine_is_described() {
        let expected = json!({
            "os": "Linux", "arch": "x86_64", "cpu_count": 2, "memory_total_mb": 24105, "memory_available_mb": 22956,
            "disk_total_gb": 251.97, "disk_free_gb": 75.75, "python_version": "3.11.7", "hostname": "vm",
        });
        assert_eq!(read(&machine()), expected);
    }

    #[test]
    fn limits_stand_beside_what_they_limit() {
        let limited = read(&Machine { limits: Limits { memory: Some(512 << 20), cpu: Some(1.5) }, ..machine() });
        assert_eq!((&limited["memory_limit_mb"], &limited["cpu_quota"]), (&json!(512), &json!(1.5)));
        assert_eq!(limited["memory_total_mb"], 24105);
    }

    #[test]
    fn a_disk_that_cannot_be_told_is_nothing() {
        let blind = read(&Machine { disk: None, ..machine() });
        assert_eq!((&blind["disk_total_gb"], &blind["disk_free_gb"]), (&json!(0.0), &json!(0.0)));
    }
}
