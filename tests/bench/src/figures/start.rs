//! From the start of the process to the first answer.

use super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::servers::Subject;

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let subjects = site.there(&[Subject::Abxd, Subject::Native, Subject::Reference]);
    let mut values: Vec<_> = subjects.into_iter().map(|subject| (subject, Vec::new())).collect();
    for _ in 0..site.effort.starts {
        for (subject, values) in &mut values {
            values.push(site.starter.start(*subject)?.took.as_secs_f64() * 1e3);
        }
    }
    Ok(vec![Figure::new(Key::Start, "start to first answered /health", Unit::Millis, values)])
}
