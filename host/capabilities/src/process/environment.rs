//! The environment that children inherit (`contract: system`, `env_set`).
//!
//! One map for the whole server, behind a lock that is held to copy or replace a pointer.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{Arc, PoisonError, RwLock};

use abxd_guards::environment::CheckedEnvironment;
use thiserror::Error;

/// Names and values in their order.
pub type Variables = Vec<(OsString, OsString)>;

/// The host's map of variables. Copies are the same map.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// What it began with.
    first: Arc<Variables>,
    now: Arc<RwLock<Arc<Variables>>>,
}

impl Environment {
    /// What the server was started with, less the secrets that have left its environment by now (D43).
    #[must_use]
    pub fn inherited() -> Self {
        std::env::vars_os().collect()
    }

    /// The variables as they are now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Variables> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Those of the variables with these `names` as they were at the start, before any request could set one: for what
    /// the server runs for its own sake (decisions D39, D45).
    #[must_use]
    pub fn of_the_start(&self, names: &[&str]) -> Variables {
        self.first.iter().filter(|(name, _)| names.iter().any(|wanted| name == wanted)).cloned().collect()
    }

    /// Sets variables, all at once: a name that is there keeps its place, new ones come last.
    ///
    /// # Errors
    /// [`EnvironmentFull`]; nothing is set then.
    pub fn set(&self, variables: CheckedEnvironment) -> Result<(), EnvironmentFull> {
        if variables.pairs().len() > MOST_VARIABLES {
            return Err(EnvironmentFull);
        }
        let mut current = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let pairs = variables.into_pairs().into_iter().map(|(name, value)| (name.into(), value.into()));
        let changed = overlaid(current.as_ref().clone(), pairs);
        if !fits(&changed) {
            return Err(EnvironmentFull);
        }
        *current = Arc::new(changed);
        Ok(())
    }
}

/// So many or so long variables that no program could be started with them any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no room for these variables in an environment")]
pub struct EnvironmentFull;

/// Most variables that requests can bring the map to.
const MOST_VARIABLES: usize = 4096;

/// Longest variable in bytes, name, sign and NUL included: the kernel's limit of 32 pages (`execve(2)`).
const LONGEST_VARIABLE: usize = 128 << 10;

/// Bytes of all variables. Half of what the kernel usually gives arguments and environment together.
const MOST_BYTES: usize = 1 << 20;

fn fits(variables: &Variables) -> bool {
    let length = |(name, value): &(OsString, OsString)| name.len() + value.len() + 2;
    variables.len() <= MOST_VARIABLES
        && variables.iter().all(|variable| length(variable) <= LONGEST_VARIABLE)
        && variables.iter().map(length).sum::<usize>() <= MOST_BYTES
}

/// In this order; where a name stands twice, the later value in the earlier place.
impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(pairs: I) -> Self {
        let first = Arc::new(overlaid(Variables::new(), pairs));
        Self { now: Arc::new(RwLock::new(Arc::clone(&first))), first }
    }
}

/// `pairs` laid on top of `variables`, in time that grows with their number: a request may bring very many.
pub(super) fn overlaid(mut variables: Variables, pairs: impl IntoIterator<Item = (OsString, OsString)>) -> Variables {
    let mut places: HashMap<OsString, usize> =
        variables.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
    for (name, value) in pairs {
        match places.get(&name).and_then(|place| variables.get_mut(*place)) {
            Some((_, known)) => *known = value,
            None => {
                places.insert(name.clone(), variables.len());
                variables.push((name, value));
            }
        }
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::{Environment, EnvironmentFull, LONGEST_VARIABLE, MOST_VARIABLES};
    use abxd_guards::environment::{CheckedEnvironment, EnvGuard, SecretNames, VariableRule};

    fn checked(pairs: impl IntoIterator<Item = (String, String)>) -> CheckedEnvironment {
        let judged = EnvGuard::default().check(pairs.into_iter().map(|(name, value)| (name, Some(value)))).unwrap();
        judged.for_server(&SecretNames::default(), &VariableRule::default()).unwrap()
    }

    fn one(name: &str, value: &str) -> CheckedEnvironment {
        checked([(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn variables_keep_their_place_and_new_ones_come_last() {
        let environment: Environment = [("B".into(), "1".into()), ("A".into(), "2".into())].into_iter().collect();
        environment.set(checked([("C", "3"), ("B", "4")].map(|(a, b)| (a.to_owned(), b.to_owned())))).unwrap();
        let names: Vec<_> = environment.snapshot().iter().map(|(name, value)| format!("{name:?}={value:?}")).collect();
        assert_eq!(names, [r#""B"="4""#, r#""A"="2""#, r#""C"="3""#]);
    }

    #[test]
    fn what_was_there_at_the_start_is_not_what_was_set_since() {
        let environment: Environment = [("A".into(), "1".into()), ("B".into(), "2".into())].into_iter().collect();
        environment.set(checked([("A", "3"), ("C", "4")].map(|(a, b)| (a.to_owned(), b.to_owned())))).unwrap();
        assert_eq!(environment.of_the_start(&["A", "C"]), [("A".into(), "1".into())]);
    }

    #[test]
    fn what_no_program_could_be_started_with_is_not_set() {
        let environment = Environment::default();
        assert_eq!(environment.set(one("A", &"x".repeat(LONGEST_VARIABLE - 3))), Ok(()));
        assert_eq!(environment.set(one("A", &"x".repeat(LONGEST_VARIABLE - 2))), Err(EnvironmentFull));
        let many = |count| checked((0..count).map(|number| (format!("N{number}"), String::new())));
        assert_eq!(environment.set(many(MOST_VARIABLES - 1)), Ok(()));
        assert_eq!(environment.set(one("NEW", "")), Err(EnvironmentFull));
        assert_eq!(environment.set(many(MOST_VARIABLES + 1)), Err(EnvironmentFull));
        let large = "y".repeat(100_000);
        let set = (0..20).take_while(|number| environment.set(one(&format!("N{number}"), &large)).is_ok());
        assert!((5..12).contains(&set.count()));
        assert_eq!(environment.snapshot().len(), MOST_VARIABLES);
    }
}
