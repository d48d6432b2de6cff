//! The one table of endpoints: what every manifest declares, merged.
//!
//! Routes, policy, capabilities, audit and docs read it. Nothing is served that is not in it. The built-in manifests are
//! part of the program, so that all of the contract's endpoints are listed from the first moment, whether their
//! component is there or not.

mod built_in;
mod facts;
mod route;

use std::sync::Arc;

use abxd_manifest::{EndpointDecl, Manifest};
use abxd_policy::{Catalog, CatalogError, EndpointFacts, GroupFacts, ScopeError};

pub use built_in::{CORE, manifests};
pub use route::{Found, Routes, route_path};

/// Why the manifests make no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A built-in manifest is malformed.
    #[error(transparent)]
    Manifest(#[from] abxd_manifest::ManifestError),
    /// A scope of an endpoint is malformed.
    #[error("endpoint `{endpoint}`: {cause}")]
    Scope {
        /// The endpoint's id.
        endpoint: String,
        /// What is wrong.
        cause: ScopeError,
    },
    /// Two endpoints collide.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// One endpoint as declared.
#[derive(Debug)]
pub struct Entry {
    /// What policy knows of it.
    pub facts: Arc<EndpointFacts>,
    /// What its manifest says.
    pub declared: EndpointDecl,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Arc<Entry>>,
    catalog: Arc<Catalog>,
    routes: Routes,
    manifests: Vec<Manifest>,
}

impl Table {
    /// Merge manifests, in order: where two patterns match one path the first is served.
    ///
    /// # Errors
    /// See [`TableError`].
    pub fn merge(manifests: Vec<Manifest>) -> Result<Self, TableError> {
        let mut declared = Vec::new();
        for manifest in &manifests {
            for endpoint in &manifest.endpoints {
                declared.push((facts::of(&manifest.group, endpoint)?, endpoint.clone()));
            }
        }
        let added = manifests.iter().filter(|manifest| !built_in::is_group(&manifest.group));
        let groups =
            added.map(|manifest| GroupFacts { name: manifest.group.clone(), opt_in: manifest.opt_in }).collect();
        let catalog = Catalog::new(declared.iter().map(|(facts, _)| facts.clone()).collect(), groups)?;
        let entries: Vec<_> = catalog
            .endpoints()
            .iter()
            .zip(declared)
            .map(|(facts, (_, declared))| Arc::new(Entry { facts: facts.clone(), declared }))
            .collect();
        let routes = Routes::of(&entries);
        Ok(Self { entries, catalog: Arc::new(catalog), routes, manifests })
    }

    /// The table of the built-in groups.
    ///
    /// # Errors
    /// See [`TableError`].
    pub fn built_in() -> Result<Self, TableError> {
        Self::merge(built_in::manifests()?)
    }

    /// The table of the built-in groups and of others behind them.
    ///
    /// # Errors
    /// See [`TableError`].
    pub fn with(added: impl IntoIterator<Item = Manifest>) -> Result<Self, TableError> {
        let mut manifests = built_in::manifests()?;
        manifests.extend(added);
        Self::merge(manifests)
    }

    /// Every endpoint, in order.
    #[must_use]
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The same as policy knows them.
    #[must_use]
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Method and path to endpoint.
    #[must_use]
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The manifests that were merged.
    #[must_use]
    pub fn manifests(&self) -> &[Manifest] {
        &self.manifests
    }
}
