//! Whether an endpoint is on.

use super::{Walk, bucket};
use crate::rule::Origin;

/// The last bucket that votes decides, and one false vote in it turns the endpoint off. Without any vote it is on.
/// Returns what turned it off.
pub(super) fn turned_off(walk: &Walk<'_>) -> Option<Origin> {
    let votes = || walk.layers().filter_map(|layer| Some((layer, layer.rule.enabled?)));
    let (last, _) = votes().next_back()?;
    let (against, _) = votes().find(|&(layer, enabled)| bucket(layer) == bucket(last) && !enabled)?;
    Some(against.source.origin())
}
