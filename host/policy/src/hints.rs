//! Remarks on a policy that is valid and probably not what was meant. Written to the log at start; `check-config`
//! counts none of them.

use std::sync::Arc;

use abxd_glob::has_wildcard;

use crate::layers::{Layer, Rank};
use crate::rule::Rule;
use crate::selector::Selector;

/// All remarks, in the order of the layers they are about.
pub(crate) fn hints(layers: &[Layer], rules: &[Arc<Rule>]) -> Vec<String> {
    let written = layers.iter().filter(|layer| layer.source.rank() >= Rank::Document);
    written
        .flat_map(|layer| {
            let name = layer.source.origin().rule;
            enabled_in_vain(layer, rules)
                .into_iter()
                .chain(literal_roots(layer))
                .chain(unreachable_patterns(layer))
                .chain(grouped_flags(layer))
                .map(move |hint| format!("{name}: {hint}"))
        })
        .collect()
}

/// A group that is named to be on while a more specific rule keeps some of it off.
fn enabled_in_vain(layer: &Layer, rules: &[Arc<Rule>]) -> Option<String> {
    let (Selector::Group(_), Some(true)) = (&layer.selector, layer.rule.enabled) else { return None };
    let mut off =
        rules.iter().filter(|rule| layer.selects(rule.endpoint())).filter_map(|rule| Some((rule, rule.origin()?)));
    let (first, origin) = off.next()?;
    Some(match off.count() {
        0 => format!("{} stays off ({origin})", first.id()),
        others => format!("{} and {others} more stay off ({origin})", first.id()),
    })
}

fn literal_roots(layer: &Layer) -> impl Iterator<Item = String> {
    let allow = layer.rule.paths.iter().flat_map(|paths| paths.allow.iter().flatten());
    allow
        .filter(|path| has_wildcard(path))
        .map(|path| format!("`{path}` in paths.allow is a plain path, its wildcards mean nothing"))
}

fn unreachable_patterns(layer: &Layer) -> impl Iterator<Item = String> {
    let deny = layer.rule.paths.iter().flat_map(|paths| paths.deny.iter().flatten());
    deny.filter(|pattern| pattern.is_unreachable())
        .map(|pattern| format!("`{}` in paths.deny matches no path, because of its `..`", pattern.as_written()))
}

fn grouped_flags(layer: &Layer) -> impl Iterator<Item = String> {
    let params = layer.rule.params.iter();
    let patterns =
        params.flat_map(|params| params.allow_commands().unwrap_or_default().iter().chain(params.deny_commands()));
    patterns.filter_map(|pattern| {
        let flag = pattern.grouped_flags().next()?;
        Some(format!("the command pattern `{pattern}` never matches: `{flag}` is read as single flags in a command"))
    })
}
