//! Units that the contract counts in, and how it rounds.

/// Whole MiB of so many KiB.
pub(crate) const fn mib(kib: u64) -> u64 {
    kib / 1024
}

/// GiB of so many bytes, to two decimals.
#[expect(clippy::cast_precision_loss, reason = "two decimals of a GiB need no more than a double has")]
pub(crate) fn gib(bytes: u64) -> f64 {
    rounded(bytes as f64 / f64::from(1 << 30), 2)
}

/// What part of `whole` is, in per cent, to one decimal. 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "one decimal of a per cent needs no more than a double has")]
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 / whole as f64 * 100.0, 1) }
}

/// A number to so many decimals.
pub(crate) fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::{gib, mib, percent, rounded};

    /// The contract's own figures.
    #[test]
    fn figures_are_rounded_as_the_contract_rounds_them() {
        assert_eq!((mib(24_683_652), mib(1023)), (24_105, 0));
        assert_eq!((gib(270_553_174_016), gib(81_334_165_504), gib(0)), (251.97, 75.75, 0.0));
        assert_eq!((percent(1149, 24_105), percent(16_238_583_808, 270_553_174_016), percent(1, 0)), (4.8, 6.0, 0.0));
        assert_eq!((rounded(3.170_000_076, 2), rounded(204.94, 1), rounded(0.0, 1)), (3.17, 204.9, 0.0));
    }
}
