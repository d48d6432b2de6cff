//! Commands by name, in the order of their registration (`contract: commands §1`).

use std::collections::HashMap;

use crate::argument::Argument;

/// One command. `T` is what runs when it is called.
#[derive(Clone, Debug)]
pub struct Command<T> {
    /// Its name: any text but the empty one.
    pub name: String,
    /// What it takes, in order.
    pub arguments: Vec<Argument>,
    /// For people.
    pub description: String,
    /// Whether it is left out of lists. It can be called all the same.
    pub hidden: bool,
    /// What a caller must hold, all of it.
    pub scopes: Vec<String>,
    /// What runs.
    pub target: T,
}

impl<T> Command<T> {
    /// The same with another target.
    pub fn map<U>(self, target: impl FnOnce(T) -> U) -> Command<U> {
        let Self { name, arguments, description, hidden, scopes, target: old } = self;
        Command { name, arguments, description, hidden, scopes, target: target(old) }
    }
}

/// All commands. Filled at the start, then shared and never changed.
#[derive(Clone, Debug)]
pub struct Registry<T> {
    commands: Vec<Command<T>>,
    places: HashMap<String, usize>,
}

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self { commands: Vec::new(), places: HashMap::new() }
    }
}

impl<T> Registry<T> {
    /// Register a command. One of the same name is replaced, in its place, and the log says so.
    pub fn register(&mut self, command: Command<T>) {
        let place = *self.places.entry(command.name.clone()).or_insert(self.commands.len());
        match self.commands.get_mut(place) {
            Some(known) => {
                tracing::warn!("command `{}` is registered twice: the later one counts", shown(&command.name));
                *known = command;
            }
            None => self.commands.push(command),
        }
    }

    /// A command by its exact name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Command<T>> {
        self.commands.get(*self.places.get(name)?)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Command<T>> {
        self.commands.iter()
    }
}

impl<T> IntoIterator for Registry<T> {
    type Item = Command<T>;
    type IntoIter = std::vec::IntoIter<Command<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.commands.into_iter()
    }
}

/// A name on one line of the log.
fn shown(name: &str) -> String {
    name.chars().flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::{Command, Registry};

    fn command(name: &str, target: u8) -> Command<u8> {
        let (name, description) = (name.to_owned(), String::new());
        Command { name, arguments: vec![], description, hidden: false, scopes: vec![], target }
    }

    #[test]
    fn a_later_command_takes_the_earlier_ones_place() {
        let mut registry = Registry::default();
        for (name, target) in [("b", 1), ("a", 2), ("b", 3), ("c", 4)] {
            registry.register(command(name, target));
        }
        let found: Vec<_> = registry.iter().map(|command| (command.name.as_str(), command.target)).collect();
        assert_eq!(found, [("b", 3), ("a", 2), ("c", 4)]);
        assert_eq!(registry.find("b").unwrap().target, 3);
        assert!(registry.find("B").is_none() && registry.find("").is_none());
    }
}
