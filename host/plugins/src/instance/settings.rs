//! How a component is run.

use std::time::Duration;

use abxd_manifest::Budget;

/// Bytes of linear memory from which an instance is not used again.
const RETIRE_ABOVE: usize = 8 << 20;

/// Calls after which an instance is not used again.
const RETIRE_AFTER: u32 = 100_000;

/// Idle instances that are kept.
const KEEP: usize = 16;

/// How a component is run: its group's budget, and when an instance is worn.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Calls at the same time. Calls beyond wait for a slot.
    pub slots: usize,
    /// Idle instances that are kept.
    pub keep: usize,
    /// Longest wait for a slot.
    pub wait: Duration,
    /// Linear memory of one instance, in bytes.
    pub most_memory: usize,
    /// Linear memory of all instances together, in bytes.
    pub most_group_memory: usize,
    /// Memory from which an instance is not used again, in bytes.
    pub retire_above: usize,
    /// Calls after which an instance is not used again.
    pub retire_after: u32,
    /// Longest time of one call, without its waits in the host; also of starting an instance.
    pub wall: Duration,
    /// Bytes that one host call may carry out of the component.
    pub host_call_bytes: usize,
    /// CPU time of one call, in ticks of 10 ms.
    pub cpu_ticks: u32,
}

impl From<Budget> for Settings {
    /// The bounds of a budget make every value fit.
    fn from(budget: Budget) -> Self {
        let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let slots = usize::try_from(budget.slots).unwrap_or(usize::MAX);
        Self {
            slots,
            keep: KEEP.min(slots),
            wait: seconds(budget.wait_seconds),
            most_memory: bytes(budget.memory_bytes),
            most_group_memory: bytes(budget.group_memory_bytes),
            retire_above: RETIRE_ABOVE,
            retire_after: RETIRE_AFTER,
            wall: seconds(budget.wall_seconds),
            host_call_bytes: bytes(budget.host_call_bytes),
            cpu_ticks: u32::try_from(seconds(budget.cpu_seconds).as_millis().div_ceil(10)).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use abxd_manifest::Budget;

    use super::Settings;

    #[test]
    fn budgets_become_settings() {
        let settings = Settings::from(Budget { cpu_seconds: 0.015, slots: 2, wall_seconds: 0.3, ..Budget::USUAL });
        assert_eq!((settings.cpu_ticks, settings.slots, settings.keep), (2, 2, 2));
        assert_eq!(settings.wall, Duration::from_millis(300));
        assert_eq!((settings.most_memory, settings.most_group_memory), (64 << 20, 1 << 30));
    }

    /// What a budget can give at most, the engine's pool has.
    #[test]
    fn no_budget_is_beyond_the_pool() {
        assert_eq!(Budget::MOST.memory_bytes, abxd_engine::MAX_MEMORY as u64);
    }
}
