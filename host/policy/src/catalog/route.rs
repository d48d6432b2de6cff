//! Path patterns.

/// The pattern without the names of its parameters: two patterns of one shape match the same paths.
pub(super) fn shape(pattern: &str) -> String {
    let unnamed = |segment| if is_parameter(segment) { "{}" } else { segment };
    pattern.split('/').map(unnamed).collect::<Vec<_>>().join("/")
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{') && segment.ends_with('}')
}
