//! Endpoints of two groups that one name or one request could mean.

use abxd_manifest::{EndpointDecl, Manifest};

/// What two groups would share.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Collision {
    /// An id.
    #[error("endpoint `{id}` is there already, in group `{other}`; ids are unique over all groups")]
    Id {
        /// The id.
        id: String,
        /// The group that has it.
        other: String,
    },
    /// A request.
    #[error(
        "endpoint `{id}`: {method} {path} matches requests of `{taken}` ({taken_path}) in group `{other}`; a request \
         belongs to one group"
    )]
    Route {
        /// The endpoint.
        id: String,
        /// Its method.
        method: &'static str,
        /// Its path.
        path: String,
        /// The endpoint of the other group.
        taken: String,
        /// Its path.
        taken_path: String,
        /// The other group.
        other: String,
    },
}

/// The first endpoint of `manifest` that collides with one of `others`.
pub(super) fn find<'a>(manifest: &Manifest, others: impl Iterator<Item = &'a Manifest> + Clone) -> Option<Collision> {
    let taken = || others.clone().flat_map(|other| other.endpoints.iter().map(move |taken| (taken, &other.group)));
    manifest.endpoints.iter().find_map(|own| taken().find_map(|(taken, other)| between(own, taken, other)))
}

fn between(own: &EndpointDecl, taken: &EndpointDecl, other: &str) -> Option<Collision> {
    if own.id == taken.id {
        return Some(Collision::Id { id: own.id.clone(), other: other.to_owned() });
    }
    (own.method == taken.method && overlap(&own.path, &taken.path)).then(|| Collision::Route {
        id: own.id.clone(),
        method: own.method.as_str(),
        path: own.path.clone(),
        taken: taken.id.clone(),
        taken_path: taken.path.clone(),
        other: other.to_owned(),
    })
}

/// Whether some path matches both patterns.
fn overlap(one: &str, other: &str) -> bool {
    let is_any = |segment: &str| segment.starts_with('{');
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one == other || is_any(one) || is_any(other) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use abxd_manifest::Manifest;

    use super::{find, overlap};

    fn manifest(group: &str, id: &str, method: &str, path: &str) -> Manifest {
        let text = format!(
            "group = \"{group}\"\nversion = \"1.0.0\"\n[[endpoint]]\nid = \"{id}\"\nmethod = \"{method}\"\n\
             path = \"{path}\"\nsummary = \"s\"\nscopes = []\n"
        );
        Manifest::from_toml(&text, "plugin.toml").unwrap()
    }

    #[test]
    fn patterns_overlap_where_a_path_matches_both() {
        for (one, other, together) in [
            ("/a", "/a", true),
            ("/a", "/b", false),
            ("/{x}", "/a", true),
            ("/a/{x}", "/{y}/b", true),
            ("/a/{x}", "/b/{x}", false),
            ("/{x}", "/a/b", false),
            ("/a/b", "/a", false),
        ] {
            assert_eq!(overlap(one, other), together, "{one} and {other}");
            assert_eq!(overlap(other, one), together, "{other} and {one}");
        }
    }

    #[test]
    fn ids_and_requests_belong_to_one_group() {
        let others = [manifest("one", "a", "GET", "/a/list"), manifest("two", "b", "POST", "/b")];
        let said = |id, method, path| {
            find(&manifest("new", id, method, path), others.iter()).map(|collision| collision.to_string())
        };
        assert_eq!(
            said("b", "GET", "/x").unwrap(),
            "endpoint `b` is there already, in group `two`; ids are unique over all groups"
        );
        assert_eq!(
            said("c", "GET", "/a/{x}").unwrap(),
            "endpoint `c`: GET /a/{x} matches requests of `a` (/a/list) in group `one`; a request belongs to one group"
        );
        assert_eq!(said("c", "POST", "/a/{x}"), None);
        assert_eq!(said("c", "GET", "/b"), None);
    }
}
