//! Resolution: from layers to one rule for each endpoint (`contract: policy §6`).

mod forced;
mod merge;
mod set;
mod votes;

pub use set::{GroupState, PolicySet};

use crate::layers::{Layer, Rank};
use crate::selector::Kind;

/// The layers that select an endpoint, in the order in which they are walked: by kind, rank, length before the first
/// `*`, and place in the list.
struct Walk<'a>(Vec<&'a Layer>);

impl<'a> Walk<'a> {
    fn new(layers: impl Iterator<Item = &'a Layer>) -> Self {
        let mut layers: Vec<&Layer> = layers.collect();
        // The sort is stable, which leaves equal keys in list order.
        layers.sort_by_key(|layer| (bucket(layer), layer.selector.specificity()));
        Self(layers)
    }

    fn layers(&self) -> impl DoubleEndedIterator<Item = &'a Layer> {
        self.0.iter().copied()
    }
}

/// Layers of one kind and rank vote together.
fn bucket(layer: &Layer) -> (Kind, Rank) {
    (layer.selector.kind(), layer.source.rank())
}
