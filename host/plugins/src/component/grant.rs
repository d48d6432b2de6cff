//! Which interfaces of the host a component may import.

use std::collections::BTreeSet;
use std::fmt;

/// An interface of `abx:host`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interface {
    /// The caller's page in the host's browser, under the endpoint's URL rule.
    Browser,
    /// Bodies of the plugin's own requests and answers.
    Bulk,
    /// The time of day.
    Clock,
    /// Interpreters, under the endpoint's rule.
    Code,
    /// Commands, each under the scopes that it needs.
    Commands,
    /// The file system, under the endpoint's path rule.
    Files,
    /// What git knows of a working tree, under the endpoint's path rule.
    Git,
    /// Lines in the operator's log.
    Log,
    /// Programs, under the guards of the endpoint that starts them.
    Process,
    /// The rule in force for the plugin's own endpoints.
    Rule,
    /// Facts of the machine, and the environment of all children.
    System,
    /// Terminals with a shell.
    Terminal,
}

/// Every interface with its name in a manifest, and whether it is given without being asked for: those reach nothing
/// but the plugin's own requests.
pub const INTERFACES: [(Interface, &str, bool); 12] = [
    (Interface::Browser, "browser", false),
    (Interface::Bulk, "bulk", true),
    (Interface::Clock, "clock", true),
    (Interface::Code, "code", false),
    (Interface::Commands, "commands", false),
    (Interface::Files, "files", false),
    (Interface::Git, "git", false),
    (Interface::Log, "log", true),
    (Interface::Process, "process", false),
    (Interface::Rule, "rule", true),
    (Interface::System, "system", false),
    (Interface::Terminal, "terminal", false),
];

/// The names of all interfaces, for messages.
pub(super) fn names() -> String {
    INTERFACES.map(|(_, name, _)| name).join(", ")
}

/// A name that is no interface.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no interface of the host; there are: {list}", list = names())]
pub struct GrantError(pub String);

/// The interfaces that a component is linked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant(BTreeSet<Interface>);

impl Grant {
    /// What every plugin gets (decision D70), and the named ones.
    ///
    /// # Errors
    /// The first name that is no interface.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, GrantError> {
        let mut granted: BTreeSet<_> = INTERFACES.iter().filter(|(.., free)| *free).map(|(known, ..)| *known).collect();
        for name in names {
            let known = INTERFACES.iter().find(|(_, known, _)| *known == name);
            granted.insert(known.ok_or_else(|| GrantError(name.to_owned()))?.0);
        }
        Ok(Self(granted))
    }

    /// Whether an interface is linked, by its name.
    #[must_use]
    pub fn lists(&self, name: &str) -> bool {
        INTERFACES.iter().any(|(known, spelt, _)| *spelt == name && self.has(*known))
    }

    /// Whether the interface is linked.
    #[must_use]
    pub fn has(&self, interface: Interface) -> bool {
        self.0.contains(&interface)
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = INTERFACES.iter().filter(|(known, ..)| self.has(*known)).map(|(_, name, _)| *name);
        formatter.write_str(&names.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Grant, GrantError, Interface};

    #[test]
    fn nothing_that_reaches_the_machine_is_given_unasked() {
        assert_eq!(Grant::of([]).unwrap().to_string(), "bulk, clock, log, rule");
        assert!(Grant::of(["files"]).unwrap().has(Interface::Files));
    }

    #[test]
    fn a_misspelt_interface_is_named() {
        assert_eq!(Grant::of(["file"]), Err(GrantError("file".to_owned())));
    }
}
