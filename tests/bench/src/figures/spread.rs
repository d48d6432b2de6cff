//! Several measurements of one thing.

/// Measurements, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread(Vec<f64>);

impl Spread {
    /// Of the values of all rounds; `None` when there is none.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        (!values.is_empty()).then_some(Self(values))
    }

    /// The smallest.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.0.first().copied().unwrap_or_default()
    }

    /// The one in the middle; of an even number the mean of the two there.
    #[must_use]
    pub fn median(&self) -> f64 {
        let middle = self.0.len() / 2;
        let at = |index: usize| self.0.get(index).copied().unwrap_or_default();
        if self.0.len().is_multiple_of(2) {
            f64::midpoint(at(middle.saturating_sub(1)), at(middle))
        } else {
            at(middle)
        }
    }

    /// The largest.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.0.last().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_median_is_in_the_middle() {
        for (values, min, median, max) in [
            (vec![3.0], 3.0, 3.0, 3.0),
            (vec![3.0, 1.0], 1.0, 2.0, 3.0),
            (vec![9.0, 1.0, 2.0], 1.0, 2.0, 9.0),
            (vec![4.0, 1.0, 3.0, -2.0], -2.0, 2.0, 4.0),
        ] {
            let spread = Spread::of(values.clone()).unwrap();
            assert_eq!((spread.min(), spread.median(), spread.max()), (min, median, max), "{values:?}");
        }
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
