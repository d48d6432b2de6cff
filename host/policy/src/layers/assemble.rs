//! Putting all layers into one list.

use super::{GroupSwitch, Inputs, Layer, ResolveError, Source, fit, presets};
use crate::catalog::{CORE, Catalog};
use crate::document::{Document, Preset};
use crate::selector::Selector;
use crate::source::Syntax;

/// All layers in list order: by source, and inside the preset and the document `defaults`, `groups`, `endpoints`, each
/// as written. What the layers name exists, and what single endpoints are given applies to them.
pub(crate) fn assemble(
    catalog: &Catalog,
    document: &Document,
    inputs: &Inputs<'_>,
) -> Result<Vec<Layer>, ResolveError> {
    fit::document(catalog, document)?;
    let mut layers: Vec<Layer> = opt_in(catalog).collect();
    layers.extend(code(catalog, inputs.code)?);
    layers.extend(preset(document.preset())?);
    layers.extend(parts(document, |part| Source::Document { part }));
    layers.extend(environment(catalog, inputs.enabled_groups)?);
    Ok(layers)
}

fn opt_in(catalog: &Catalog) -> impl Iterator<Item = Layer> {
    let groups = catalog.groups().iter().filter(|group| group.opt_in);
    groups.map(|group| Layer::switch(&group.name, false, Source::OptIn { group: group.name.clone() }))
}

/// Only the last switch of each group counts, as it does where it was made.
fn code(catalog: &Catalog, switches: &[GroupSwitch]) -> Result<Vec<Layer>, ResolveError> {
    let mut layers: Vec<Layer> = Vec::new();
    for switch in switches {
        if switch.group == CORE {
            if switch.enabled {
                continue;
            }
            return Err(ResolveError::CodeDisablesCore);
        }
        fit::group(catalog, &switch.group)
            .map_err(|suggestion| ResolveError::UnknownCodeGroup { group: switch.group.clone(), suggestion })?;
        let layer = Layer::switch(&switch.group, switch.enabled, Source::Code { group: switch.group.clone() });
        layers.retain(|earlier| earlier.selector != layer.selector);
        layers.push(layer);
    }
    Ok(layers)
}

fn preset(preset: Preset) -> Result<Vec<Layer>, ResolveError> {
    let document = Document::parse(presets::document(preset).as_bytes(), Syntax::Json)
        .map_err(|error| ResolveError::Preset { preset, error })?;
    Ok(parts(&document, |detail| Source::Preset { preset, detail }).collect())
}

/// The layers of a document, each named by its key.
fn parts(document: &Document, source: impl Fn(String) -> Source) -> impl Iterator<Item = Layer> {
    let defaults = document.defaults().map(|rule| Layer {
        selector: Selector::Defaults,
        rule: rule.clone(),
        source: source("defaults".to_owned()),
    });
    let groups: Vec<Layer> = document
        .groups()
        .iter()
        .map(|group| Layer::switch(&group.name, group.enabled, source(format!("groups.{}", group.name))))
        .collect();
    let endpoints: Vec<Layer> = document
        .endpoints()
        .iter()
        .map(|entry| Layer {
            selector: entry.selector.clone(),
            rule: entry.rule.clone(),
            source: source(format!("endpoints.{}", entry.text)),
        })
        .collect();
    defaults.into_iter().chain(groups).chain(endpoints)
}

/// `ABX_SERVER_ENABLED_GROUPS`: names between commas; blanks around them, empty items and `core` are skipped.
fn environment(catalog: &Catalog, text: &str) -> Result<Vec<Layer>, ResolveError> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != CORE);
    names
        .map(|name| {
            fit::group(catalog, name)
                .map_err(|suggestion| ResolveError::UnknownEnabledGroup { group: name.to_owned(), suggestion })?;
            Ok(Layer::switch(name, true, Source::Environment { group: name.to_owned() }))
        })
        .collect()
}
