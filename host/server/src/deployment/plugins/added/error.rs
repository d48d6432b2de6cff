//! Why a plugin or a grant can't be used: one line each, with the file and what would be right.

use std::path::PathBuf;

use abxd_plugins::component::GrantError;
use abxd_plugins::{CompileError, PackageError};

use super::collision::Collision;
use crate::deployment::plugins::BudgetError;

/// Why a plugin or a grant can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AddedError {
    /// A directory can't be read.
    #[error("--plugin {}: {cause}", place.display())]
    Place {
        /// As given.
        place: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A grant is malformed.
    #[error("--grant {0}: expected GROUP:INTERFACE,INTERFACE")]
    GrantForm(String),
    /// A grant names what is no interface.
    #[error("grant of {group}: {cause}")]
    Grant {
        /// The group.
        group: String,
        /// What is wrong.
        cause: GrantError,
    },
    /// A grant is for nobody.
    #[error("{place}: there is no plugin with group `{group}`; the plugins are: {known}")]
    NoPlugin {
        /// Where it is named.
        place: &'static str,
        /// The group.
        group: String,
        /// The groups that are there.
        known: String,
    },
    /// Something is set for a group that is part of the server.
    #[error("{place}: group `{group}` is built in; only its `budget` in the policy can be set")]
    BuiltInGroup {
        /// Where it is named.
        place: &'static str,
        /// The group.
        group: String,
    },
    /// The file is no plugin.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The policy's file is another group's.
    #[error("policy: plugins.{named}: {} has group `{group}`", file.display())]
    OtherGroup {
        /// The group that the policy names.
        named: String,
        /// The file.
        file: PathBuf,
        /// The group that its manifest names.
        group: String,
    },
    /// The group is one of the contract's.
    #[error("{}: group `{group}` is built in; a plugin needs a name of its own", file.display())]
    BuiltIn {
        /// The file.
        file: PathBuf,
        /// The group.
        group: String,
    },
    /// Two files have one group.
    #[error("{} and {}: both have group `{group}`; leave one out", one.display(), other.display())]
    Twice {
        /// A file.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// The group.
        group: String,
    },
    /// Another group has an id or a route.
    #[error("{}: {collision}", file.display())]
    Collision {
        /// The file.
        file: PathBuf,
        /// With what.
        collision: Box<Collision>,
    },
    /// An endpoint would be open to everybody, or outside HTTP.
    #[error("{}: endpoint `{endpoint}`: {why}", file.display())]
    Endpoint {
        /// The file.
        file: PathBuf,
        /// The endpoint.
        endpoint: String,
        /// What is wrong.
        why: &'static str,
    },
    /// Its budget can't be used.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// It does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
}
