//! Method and path to endpoint (contract: pipeline §3).

use std::collections::HashMap;
use std::sync::Arc;

use super::Entry;

/// An endpoint that was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Its position in the table.
    pub position: usize,
    /// The segments bound to `{name}`, decoded, in order.
    pub params: Vec<String>,
}

/// The routes. The first endpoint of the table whose method and pattern match is the one that is served; paths without
/// parameters are looked up, those with are tried in order.
#[derive(Debug, Default)]
pub struct Routes {
    methods: HashMap<String, Method>,
}

#[derive(Debug, Default)]
struct Method {
    fixed: HashMap<String, usize>,
    patterns: Vec<(usize, Vec<Segment>)>,
}

#[derive(Debug)]
enum Segment {
    Text(String),
    Param,
}

impl Routes {
    pub(super) fn of(entries: &[Arc<Entry>]) -> Self {
        let mut routes = Self::default();
        for (position, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.facts.is_virtual) {
            let method = routes.methods.entry(entry.facts.method.clone()).or_default();
            let path = &entry.facts.path;
            if path.contains('{') {
                let segment = |text: &str| match text.starts_with('{') {
                    true => Segment::Param,
                    false => Segment::Text(text.to_owned()),
                };
                method.patterns.push((position, path.split('/').map(segment).collect()));
            } else {
                method.fixed.entry(path.clone()).or_insert(position);
            }
        }
        routes
    }

    /// The endpoint for a method and a route path (see [`route_path`]).
    #[must_use]
    pub fn find(&self, method: &str, path: &str) -> Option<Found> {
        let method = self.methods.get(method)?;
        let fixed = method.fixed.get(path).copied();
        let tried = method.patterns.iter().take_while(|(position, _)| fixed.is_none_or(|fixed| *position < fixed));
        let bound = tried.filter_map(|(position, segments)| {
            bind(segments, path).map(|params| Found { position: *position, params })
        });
        bound.into_iter().next().or(fixed.map(|position| Found { position, params: Vec::new() }))
    }
}

fn bind(segments: &[Segment], path: &str) -> Option<Vec<String>> {
    let mut params = Vec::new();
    let mut parts = path.split('/');
    for segment in segments {
        let part = parts.next()?;
        match segment {
            Segment::Text(text) if text == part => {}
            Segment::Param if !part.is_empty() => params.push(decode(part)),
            _ => return None,
        }
    }
    parts.next().is_none().then_some(params)
}

/// Percent-decoding of a path segment, once: `+` stays, a malformed escape stays, bad UTF-8 becomes U+FFFD (decision D9).
fn decode(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// The path that routes are matched against, and that "Not found" names: raw, without parameters of the last segment,
/// with leading slashes as one and without trailing ones.
#[must_use]
pub fn route_path(path: &str) -> String {
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path.get(last..).and_then(|segment| segment.find(';')).map_or(path.len(), |semicolon| last + semicolon);
    let path = path.get(..end).unwrap_or(path).trim_end_matches('/');
    let path = path.trim_start_matches('/');
    format!("/{path}")
}

#[cfg(test)]
mod tests {
    use super::{Found, decode, route_path};
    use crate::table::Table;

    fn find(method: &str, path: &str) -> Option<(String, Vec<String>)> {
        let table = Table::built_in().unwrap();
        let Found { position, params } = table.routes().find(method, &route_path(path))?;
        Some((table.entries()[position].facts.id.to_string(), params))
    }

    #[test]
    fn targets_become_route_paths() {
        for (target, path) in [
            ("/health///", "/health"),
            ("//health", "/health"),
            ("/files//list", "/files//list"),
            ("/h%65alth", "/h%65alth"),
            ("/health;x=1", "/health"),
            ("/a;b/c", "/a;b/c"),
            ("/", "/"),
            ("", "/"),
            ("///", "/"),
            ("/nope/%41/", "/nope/%41"),
        ] {
            assert_eq!(route_path(target), path, "{target}");
        }
    }

    #[test]
    fn the_first_match_of_a_method_wins() {
        for (method, path, id) in [
            ("GET", "/process/list", "process_list"),
            ("GET", "/process/7", "process_detail"),
            ("POST", "/v1/agents/runtimes", "agents_definitions_update"),
            ("DELETE", "/v1/agents/sessions", "agents_definitions_delete"),
            ("GET", "/v1/responses/input_tokens", "agents_responses_get"),
            ("GET", "/v1/agents/environments/templates", "agents_environment_templates_list"),
        ] {
            assert_eq!(find(method, path).map(|found| found.0).as_deref(), Some(id), "{method} {path}");
        }
        for (method, path) in [
            ("POST", "/health"),
            ("get", "/health"),
            ("HEAD", "/health"),
            ("GET", "/Health"),
            ("GET", "/h%65alth"),
            ("GET", "/files"),
        ] {
            assert_eq!(find(method, path), None, "{method} {path}");
        }
    }

    #[test]
    fn parameters_are_decoded_once() {
        assert_eq!(find("GET", "/process/%31").unwrap().1, ["1"]);
        assert_eq!(find("POST", "/commands/a%2Fb+c%2520%zz%FF").unwrap().1, ["a/b+c%20%zz\u{fffd}"]);
        assert_eq!(find("POST", "/commands/"), None);
        assert_eq!(find("POST", "/commands/a/b"), None);
        assert_eq!(decode("%e4%bd%a0"), "你");
    }

    #[test]
    fn the_table_has_the_contracts_endpoints() {
        assert_eq!(Table::built_in().unwrap().entries().len(), 118);
    }
}
