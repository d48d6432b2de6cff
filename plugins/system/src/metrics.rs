//! `system_metrics`: how busy and how full the machine is. Contract: system.

use abx_sdk::system::{self, Machine};
use abx_sdk::{Response, json};

use crate::unit::{gib, mib, percent, rounded};

pub(crate) fn metrics() -> Response {
    Response::json(answer(&system::facts()))
}

fn answer(machine: &Machine) -> Vec<u8> {
    let memory = mib(machine.memory.total);
    let used = mib(machine.memory.total.saturating_sub(machine.memory.available));
    let disk = machine.disk.map(|disk| (disk.total.saturating_sub(disk.free), disk.total));
    let (one, five, fifteen) = machine.load;
    json::object(320, |answer| {
        answer.float("cpu_load_1m", rounded(one, 2));
        answer.float("cpu_load_5m", rounded(five, 2));
        answer.float("cpu_load_15m", rounded(fifteen, 2));
        answer.integer("memory_used_mb", used);
        answer.integer("memory_total_mb", memory);
        answer.float("memory_percent", percent(used, memory));
        answer.float("disk_used_gb", disk.map_or(0.0, |(used, _)| gib(used)));
        answer.float("disk_total_gb", disk.map_or(0.0, |(_, total)| gib(total)));
        answer.float("disk_percent", disk.map_or(0.0, |(used, total)| percent(used, total)));
        answer.float("uptime_seconds", rounded(machine.uptime, 1));
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::info::tests::machine;
    use abx_sdk::system::{Machine, Memory};
    use serde_json::{Value, json};

    fn read(machine: &Machine) -> Value {
        serde_json::from_slice(&answer(machine)).unwrap()
    }

    #[test]
    fn figures_are_those_of_the_contract() {
        let expected = json!({
            "cpu_load_1m": 3.17, "cpu_load_5m": 2.6, "cpu_load_15m": 1.53, "memory_used_mb": 1149,
            "memory_total_mb": 24105, "memory_percent": 4.8, "disk_used_gb": 15.12, "disk_total_gb": 251.97,
            "disk_percent": 6.0, "uptime_seconds": 204.9,
        });
        assert_eq!(read(&machine()), expected);
    }

    #[test]
    fn a_machine_that_tells_nothing_has_figures_all_the_same() {
        let memory = Memory { total: 0, available: 0 };
        let blind = read(&Machine { disk: None, memory, load: (0.0, 0.0, 0.0), ..machine() });
        assert_eq!((&blind["memory_percent"], &blind["disk_percent"]), (&json!(0.0), &json!(0.0)));
    }
}
