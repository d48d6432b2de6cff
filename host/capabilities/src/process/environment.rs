//! The environment that children inherit (`contract: system`, `env_set`).
//!
//! One map for the whole server, behind a lock that is held to copy or replace a pointer.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{Arc, PoisonError, RwLock};

use abxd_guards::environment::CheckedEnvironment;

/// Names and values in their order.
pub type Variables = Vec<(OsString, OsString)>;

/// The host's map of variables. Copies are the same map.
#[derive(Clone, Debug, Default)]
pub struct Environment(Arc<RwLock<Arc<Variables>>>);

impl Environment {
    /// What the server was started with, less the secrets that have left its environment by now (D43).
    #[must_use]
    pub fn inherited() -> Self {
        std::env::vars_os().collect()
    }

    /// The variables as they are now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Variables> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets variables, all at once: a name that is there keeps its place, new ones come last.
    pub fn set(&self, variables: CheckedEnvironment) {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let pairs = variables.into_pairs().into_iter().map(|(name, value)| (name.into(), value.into()));
        *current = Arc::new(overlaid(current.as_ref().clone(), pairs));
    }
}

/// In this order; where a name stands twice, the later value in the earlier place.
impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(pairs: I) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(overlaid(Variables::new(), pairs)))))
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
    use super::{Environment, Variables};

    fn variables(pairs: impl IntoIterator<Item = (&'static str, &'static str)>) -> Variables {
        pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn a_name_keeps_its_place_and_takes_the_later_value() {
        let environment: Environment =
            variables([("A", "1"), ("B", "2"), ("A", "3"), ("C", "4")]).into_iter().collect();
        assert_eq!(*environment.snapshot(), variables([("A", "3"), ("B", "2"), ("C", "4")]));
    }
}
