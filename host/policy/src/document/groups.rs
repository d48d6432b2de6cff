//! `groups`: a list of names, or an object of names and booleans.

use super::at::{At, Field};
use super::error::{DocumentError, Problem};
use crate::catalog::CORE;
use crate::source::{Place, Value};

/// One group that the document switches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GroupEntry {
    pub(crate) name: String,
    pub(crate) enabled: bool,
    pub(crate) place: Place,
}

/// Which names exist is judged later, against the catalog.
pub(super) fn groups(at: &At<'_>) -> Result<Vec<GroupEntry>, DocumentError> {
    match at.value() {
        Value::List(_) => {
            at.list(|item| Ok(GroupEntry { name: item.owned_text()?, enabled: true, place: item.place() }))
        }
        Value::Object(_) => at.fields()?.map(|field| entry(&field)).collect(),
        _ => Err(at.expected("a list or an object")),
    }
}

fn entry(field: &Field<'_>) -> Result<GroupEntry, DocumentError> {
    let enabled = field.at.boolean()?;
    if field.name == CORE && !enabled {
        return Err(field.at.error(Problem::CoreOff));
    }
    Ok(GroupEntry { name: field.name.to_owned(), enabled, place: field.place })
}
