//! The one text that a normalised document has: compact JSON with sorted keys, everything outside printable ASCII
//! escaped, floats in the form of `contract: commands §4` (`contract: policy §9`, revision).

mod float;
mod writer;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

pub(super) use float::float_text;
pub(super) use writer::compact;

/// A value of a normalised document.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Canonical {
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Canonical>),
    Object(BTreeMap<&'static str, Canonical>),
    /// An object whose keys come from the document.
    Named(BTreeMap<String, Canonical>),
}

/// The first 16 hexadecimal digits of the SHA-256 of the text.
pub(super) fn revision(document: &Canonical) -> String {
    let digest = Sha256::digest(compact(document));
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
