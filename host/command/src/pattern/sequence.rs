//! Matching a sequence of elements against the words of a command line.
//!
//! `...` cuts the elements into runs of fixed length. The first run stands at the start, the last one at the end, and
//! each run between goes to the leftmost place where it fits: a later place leaves less room for what follows and
//! nothing else, so the leftmost is both the one that matches, if any does, and the one that backtracking with the
//! shortest `...` would find. No choice is ever taken back, which keeps the work linear.

use super::element::Element;

/// The words that `{path}` elements stand for, or `None` when the elements do not match.
pub(super) fn bind<'v>(elements: &[Element], words: &[&'v str]) -> Option<Vec<&'v str>> {
    let mut runs = elements.split(|element| matches!(element, Element::Rest));
    let first = runs.next()?;
    let last = runs.next_back();
    let mut paths = Vec::new();
    let (start, mut rest) = words.split_at_checked(first.len())?;
    fits(first, start).then(|| collect(first, start, &mut paths))?;
    let Some(last) = last else {
        return rest.is_empty().then_some(paths);
    };
    for run in runs.filter(|run| !run.is_empty()) {
        let place = rest.windows(run.len()).position(|window| fits(run, window))?;
        let (found, behind) = rest.get(place..)?.split_at_checked(run.len())?;
        collect(run, found, &mut paths);
        rest = behind;
    }
    let end = rest.get(rest.len().checked_sub(last.len())?..)?;
    fits(last, end).then(|| collect(last, end, &mut paths))?;
    Some(paths)
}

/// Whether each element admits the word at its place. Both are of one length.
fn fits(run: &[Element], words: &[&str]) -> bool {
    run.iter().zip(words).all(|(element, word)| element.admits(word))
}

fn collect<'v>(run: &[Element], words: &[&'v str], paths: &mut Vec<&'v str>) {
    paths.extend(run.iter().zip(words).filter(|(element, _)| matches!(element, Element::Path)).map(|(_, word)| *word));
}
