//! What a component can reach and what it offers, as its own lists say. These prove what a manifest only claims: an
//! engine links nothing that the list does not name.

use thiserror::Error;
use wasmparser::{Parser, Payload};

/// The package of the host's interfaces.
const HOST: &str = "abx:host/";

/// Interfaces of types alone, through which nothing is reached.
const TYPES_ONLY: [&str; 2] = ["children", "failures"];

/// The imports and exports of a component, in the order in which it lists them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Interfaces {
    pub(crate) imports: Vec<String>,
    pub(crate) exports: Vec<String>,
}

/// Why there are no lists.
#[derive(Debug, Error)]
#[error("not readable as a component: {detail}")]
pub(crate) struct InterfacesError {
    detail: String,
}

impl Interfaces {
    /// Read them from a component. What lies inside it (modules, components) has lists of its own, which only its
    /// own instances see.
    pub(crate) fn of(component: &[u8]) -> Result<Self, InterfacesError> {
        let unreadable = |error: wasmparser::BinaryReaderError| InterfacesError { detail: error.to_string() };
        let mut found = Self::default();
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(component) {
            match payload.map_err(unreadable)? {
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                Payload::ComponentImportSection(imports) if depth == 1 => {
                    for import in imports {
                        found.imports.push(import.map_err(unreadable)?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(exports) if depth == 1 => {
                    for export in exports {
                        found.exports.push(export.map_err(unreadable)?.name.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The host's interfaces among the imports, without package and version; those of types alone left out.
    pub(crate) fn of_the_host(&self) -> impl Iterator<Item = &str> {
        let host = self.imports.iter().filter_map(|import| import.strip_prefix(HOST));
        host.map(|name| name.split_once('@').map_or(name, |(name, _)| name)).filter(|name| !TYPES_ONLY.contains(name))
    }
}
