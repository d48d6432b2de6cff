//! What the component of a group may use.

use serde::{Deserialize, Serialize};

use crate::error::Fault;

/// What a manifest or a deployment says of a budget; what it leaves out stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetDecl {
    /// Linear memory of one instance, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Linear memory of all instances together, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_memory_bytes: Option<u64>,
    /// Bytes that one call into the host, or one answer, may carry out of the component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_call_bytes: Option<u64>,
    /// Requests at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<u32>,
    /// Computing time of one request, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Time of one request without its waits in the host, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
    /// Time that a request waits for a slot, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_seconds: Option<f64>,
}

/// A whole budget. The keys are those of [`BudgetDecl`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the keys are documented there")]
pub struct Budget {
    pub memory_bytes: u64,
    pub group_memory_bytes: u64,
    pub host_call_bytes: u64,
    pub slots: u32,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub wait_seconds: f64,
}

impl Budget {
    /// What a component gets that asks for nothing.
    pub const USUAL: Self = Self {
        memory_bytes: 64 << 20,
        group_memory_bytes: 1 << 30,
        host_call_bytes: 32 << 20,
        slots: 128,
        cpu_seconds: 10.0,
        wall_seconds: 30.0,
        wait_seconds: 10.0,
    };

    const LEAST: Self = Self {
        memory_bytes: 64 << 10,
        group_memory_bytes: 64 << 10,
        host_call_bytes: 64 << 10,
        slots: 1,
        cpu_seconds: 0.01,
        wall_seconds: 0.01,
        wait_seconds: 0.01,
    };

    /// What no component can get.
    pub const MOST: Self = Self {
        memory_bytes: 256 << 20,
        group_memory_bytes: 64 << 30,
        host_call_bytes: 256 << 20,
        slots: 1024,
        cpu_seconds: 3600.0,
        wall_seconds: 3600.0,
        wait_seconds: 600.0,
    };

    /// This budget with what `decl` says in place of its own.
    #[must_use]
    pub fn with(self, decl: &BudgetDecl) -> Self {
        Self {
            memory_bytes: decl.memory_bytes.unwrap_or(self.memory_bytes),
            group_memory_bytes: decl.group_memory_bytes.unwrap_or(self.group_memory_bytes),
            host_call_bytes: decl.host_call_bytes.unwrap_or(self.host_call_bytes),
            slots: decl.slots.unwrap_or(self.slots),
            cpu_seconds: decl.cpu_seconds.unwrap_or(self.cpu_seconds),
            wall_seconds: decl.wall_seconds.unwrap_or(self.wall_seconds),
            wait_seconds: decl.wait_seconds.unwrap_or(self.wait_seconds),
        }
    }

    /// The first key whose value is above that of `most`, and that value.
    #[must_use]
    pub fn above(&self, most: &Self) -> Option<(&'static str, f64)> {
        let mut keys = self.numbers().into_iter().zip(most.numbers());
        keys.find(|((_, own), (_, most))| own > most).map(|(_, most)| most)
    }

    /// As numbers with their keys. Below 2^53, which the bounds are, they are exact.
    fn numbers(&self) -> [(&'static str, f64); 7] {
        let Self { memory_bytes, group_memory_bytes, host_call_bytes, slots, cpu_seconds, wall_seconds, wait_seconds } =
            *self;
        [
            ("memory_bytes", memory_bytes as f64),
            ("group_memory_bytes", group_memory_bytes as f64),
            ("host_call_bytes", host_call_bytes as f64),
            ("slots", slots.into()),
            ("cpu_seconds", cpu_seconds),
            ("wall_seconds", wall_seconds),
            ("wait_seconds", wait_seconds),
        ]
    }
}

impl BudgetDecl {
    /// Whether every value is one that a component can get.
    ///
    /// # Errors
    /// The first key whose value is not, with its bounds.
    pub fn check(&self) -> Result<(), (&'static str, Fault)> {
        // What is left out stays within the bounds.
        let given = Budget::USUAL.with(self).numbers();
        let bounds = Budget::LEAST.numbers().into_iter().zip(Budget::MOST.numbers());
        for ((key, value), ((_, least), (_, most))) in given.into_iter().zip(bounds) {
            if !(least..=most).contains(&value) {
                return Err((key, Fault::OutOfBounds { value: value.to_string(), least, most }));
            }
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_replaces_what_is_usual() {
        let decl = BudgetDecl { slots: Some(2), cpu_seconds: Some(0.5), ..BudgetDecl::default() };
        assert_eq!(Budget::USUAL.with(&decl), Budget { slots: 2, cpu_seconds: 0.5, ..Budget::USUAL });
    }

    #[test]
    fn bounds_hold_at_both_ends_and_are_told() {
        for (least, most) in Budget::LEAST.numbers().into_iter().zip(Budget::MOST.numbers()) {
            assert!(least.1 < most.1, "{}", least.0);
        }
        let seconds = |cpu_seconds| BudgetDecl { cpu_seconds: Some(cpu_seconds), ..BudgetDecl::default() }.check();
        assert!(seconds(0.01).is_ok() && seconds(3600.0).is_ok());
        for wrong in [0.0, 0.009, -1.0, 3600.1, f64::INFINITY, f64::NAN] {
            let Err(("cpu_seconds", fault)) = seconds(wrong) else { panic!("{wrong}") };
            assert_eq!(fault.to_string(), format!("{wrong} is out of bounds: 0.01 to 3600"));
        }
        let slots = |slots| BudgetDecl { slots: Some(slots), ..BudgetDecl::default() }.check();
        assert!(slots(1).is_ok() && slots(1024).is_ok());
        assert!(matches!(slots(0), Err(("slots", _))) && matches!(slots(1025), Err(("slots", _))));
        let memory = BudgetDecl { memory_bytes: Some(u64::MAX), ..BudgetDecl::default() };
        assert!(matches!(memory.check(), Err(("memory_bytes", _))));
    }

    #[test]
    fn the_first_key_above_is_named() {
        assert_eq!(Budget::USUAL.above(&Budget::USUAL), None);
        let more = Budget { wall_seconds: 31.0, wait_seconds: 11.0, ..Budget::USUAL };
        assert_eq!(more.above(&Budget::USUAL), Some(("wall_seconds", 30.0)));
    }
}
