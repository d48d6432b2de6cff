//! Components: what calling, loading and keeping them costs, and what those can't do to others that compute without end
//! or are replaced.

mod hop;
mod load;
mod loops;
mod reloads;
mod resident;

use super::rounds::{Rounds, Site};
use super::{Figure, FigureError, Key, Unit};

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let mut figures = hop::measure(&Rounds::begin(site)?)?;
    figures.extend(load::measure(site)?);
    figures.push(resident::measure(site)?);
    figures.extend(loops::measure(site)?);
    figures.extend(reloads::measure(site)?);
    Ok(figures)
}
