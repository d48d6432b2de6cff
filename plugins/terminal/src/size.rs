//! Columns and rows out of a body. Contract: terminal, integer coercion.

use std::ops::RangeInclusive;

use abx_sdk::{Member, Problem};

/// One side of a size: what `int()` makes of the value, if that is in the range.
pub(crate) fn side(name: &str, given: Member<'_>, range: RangeInclusive<u16>) -> Result<u16, Problem> {
    let Some(whole) = given.whole() else { return Err(Problem::value_error([name, " must be an integer"].concat())) };
    let fits = u16::try_from(whole).ok().filter(|side| range.contains(side));
    fits.ok_or_else(|| Problem::value_error([name, " is out of range"].concat()))
}
