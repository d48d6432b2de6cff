//! Guessing what a misspelt name was meant to be.

/// The candidate that is nearest to `word`, if one is near: at most a third of the letters differ, one letter at least
/// and three at most.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let tolerance = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= tolerance && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// The end of a message.
pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["enabled", "scopes", "audit", "paths", "limits", "params"];
        for (word, expected) in [("enabld", "enabled"), ("Scopes", "scopes"), ("limit", "limits"), ("parmas", "params")]
        {
            assert_eq!(nearest(word, known).as_deref(), Some(expected), "{word}");
        }
        for word in ["", "x", "rate", "something"] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
    }
}
