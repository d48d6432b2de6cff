//! The table of endpoints that policies are judged against. Built once from the manifests;
//! immutable.

mod endpoint;
mod group;
mod route;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use thiserror::Error;

use crate::selector::{Kind, Selector};

pub use endpoint::EndpointFacts;
pub use group::{BUILT_IN_GROUPS, CORE, GroupFacts};

/// All endpoints and groups, in their order.
#[derive(Debug)]
pub struct Catalog {
    groups: Vec<GroupFacts>,
    endpoints: Vec<Arc<EndpointFacts>>,
    by_id: HashMap<Arc<str>, usize>,
}

/// Why a table cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogError {
    /// Two groups have one name, or a plugin takes a built-in group's.
    #[error("the group `{0}` is there already")]
    GroupTaken(String),
    /// A group's name is not a lower-case word.
    #[error("`{0}` is no name for a group (lower-case letters, digits and `_`, a letter first)")]
    GroupName(String),
    /// An endpoint's group is unknown.
    #[error("the endpoint `{id}` belongs to no known group (`{group}`)")]
    UnknownGroup {
        /// The endpoint.
        id: String,
        /// What it names.
        group: String,
    },
    /// An endpoint's id would be read as something else in a policy: empty, a glob, `group:…`, `@defaults`.
    #[error("`{0}` is no id for an endpoint")]
    Id(String),
    /// Two endpoints have one id.
    #[error("the endpoint id `{0}` is there already")]
    IdTaken(String),
    /// Two endpoints answer the same method and path, whatever they call the path's parameters.
    #[error("`{id}` and `{first}` both answer {method} {path}")]
    RouteTaken {
        /// The endpoint that came second.
        id: String,
        /// The one that came first.
        first: String,
        /// Their method.
        method: String,
        /// Their path pattern.
        path: String,
    },
}

impl Catalog {
    /// Builds the table. The nine built-in groups are always known, with or without endpoints; `plugin_groups` come
    /// after them.
    ///
    /// # Errors
    /// [`CatalogError`] when ids, routes or groups collide, or an endpoint's group is unknown.
    pub fn new(endpoints: Vec<EndpointFacts>, plugin_groups: Vec<GroupFacts>) -> Result<Self, CatalogError> {
        let groups = group::all(plugin_groups)?;
        let mut by_id = HashMap::new();
        let mut routes: HashMap<(&str, String), &EndpointFacts> = HashMap::new();
        for (index, endpoint) in endpoints.iter().enumerate() {
            if !groups.iter().any(|group| group.name == endpoint.group) {
                return Err(CatalogError::UnknownGroup { id: endpoint.id.to_string(), group: endpoint.group.clone() });
            }
            if Selector::parse(&endpoint.id).map(|selector| selector.kind()) != Ok(Kind::Exact)
                || endpoint.id.is_empty()
            {
                return Err(CatalogError::Id(endpoint.id.to_string()));
            }
            if by_id.insert(Arc::clone(&endpoint.id), index).is_some() {
                return Err(CatalogError::IdTaken(endpoint.id.to_string()));
            }
            match routes.entry((&endpoint.method, route::shape(&endpoint.path))) {
                Entry::Vacant(route) => drop(route.insert(endpoint)),
                Entry::Occupied(route) => {
                    return Err(CatalogError::RouteTaken {
                        id: endpoint.id.to_string(),
                        first: route.get().id.to_string(),
                        method: endpoint.method.clone(),
                        path: endpoint.path.clone(),
                    });
                }
            }
        }
        Ok(Self { groups, endpoints: endpoints.into_iter().map(Arc::new).collect(), by_id })
    }

    /// The endpoints in their order.
    pub fn endpoints(&self) -> &[Arc<EndpointFacts>] {
        &self.endpoints
    }

    /// The endpoint with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<EndpointFacts>> {
        self.endpoints.get(self.position(id)?)
    }

    /// The groups: the nine built-in ones, then the plugins'.
    pub fn groups(&self) -> &[GroupFacts] {
        &self.groups
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&GroupFacts> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Where the endpoint stands in [`Catalog::endpoints`].
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

#[cfg(test)]
mod tests;
