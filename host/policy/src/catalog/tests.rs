//! What a table refuses, and its order.

use super::*;
use crate::{Access, LimitKeys, ParamKeys};

fn endpoint(id: &str, method: &str, path: &str, group: &str) -> EndpointFacts {
    EndpointFacts {
        id: id.into(),
        method: method.into(),
        path: path.into(),
        group: group.into(),
        scopes: Vec::new(),
        limits: LimitKeys::default(),
        params: ParamKeys::default(),
        paths: false,
        exec: false,
        streaming: false,
        auth: true,
        is_virtual: false,
        default_access: Access::Read,
        summary: id.into(),
    }
}

fn group(name: &str) -> GroupFacts {
    GroupFacts { name: name.into(), opt_in: false }
}

#[test]
fn order_is_kept_and_built_in_groups_are_always_known() {
    let catalog = Catalog::new(
        vec![endpoint("b", "GET", "/b", "core"), endpoint("a", "GET", "/a", "weather")],
        vec![group("weather")],
    )
    .expect("a table");
    assert_eq!(catalog.endpoints().iter().map(|endpoint| &*endpoint.id).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(catalog.groups().len(), 10);
    assert!(catalog.group("agents").is_some_and(|group| group.opt_in));
    assert!(catalog.get("a").is_some_and(|endpoint| endpoint.path == "/a"));
    assert!(catalog.get("c").is_none());
}

#[test]
fn collisions_are_refused() {
    let twice = Catalog::new(vec![endpoint("a", "GET", "/a", "core"), endpoint("a", "GET", "/b", "core")], vec![]);
    assert_eq!(twice.err(), Some(CatalogError::IdTaken("a".into())));

    let route = Catalog::new(vec![endpoint("a", "GET", "/x", "core"), endpoint("b", "GET", "/x", "core")], vec![]);
    assert!(matches!(route.err(), Some(CatalogError::RouteTaken { id, first, .. }) if id == "b" && first == "a"));

    let named =
        Catalog::new(vec![endpoint("a", "GET", "/x/{a}", "core"), endpoint("b", "GET", "/x/{b}", "core")], vec![]);
    assert!(matches!(named.err(), Some(CatalogError::RouteTaken { .. })));

    let methods = Catalog::new(vec![endpoint("a", "GET", "/x", "core"), endpoint("b", "POST", "/x", "core")], vec![]);
    assert!(methods.is_ok());
}

#[test]
fn ids_that_a_policy_could_not_name_are_refused() {
    for id in ["", "a*", "a?", "a[b]", "group:a", "@defaults"] {
        let catalog = Catalog::new(vec![endpoint(id, "GET", "/x", "core")], vec![]);
        assert_eq!(catalog.err(), Some(CatalogError::Id(id.into())), "{id}");
    }
    assert!(Catalog::new(vec![endpoint("GET /custom/{x}", "GET", "/custom/{x}", "core")], vec![]).is_ok());
}

#[test]
fn groups_must_be_known_and_new() {
    let unknown = Catalog::new(vec![endpoint("a", "GET", "/a", "nope")], vec![]);
    assert!(matches!(unknown.err(), Some(CatalogError::UnknownGroup { .. })));
    assert_eq!(Catalog::new(vec![], vec![group("process")]).err(), Some(CatalogError::GroupTaken("process".into())));
    assert_eq!(Catalog::new(vec![], vec![group("x"), group("x")]).err(), Some(CatalogError::GroupTaken("x".into())));
    assert_eq!(Catalog::new(vec![], vec![group("A-b")]).err(), Some(CatalogError::GroupName("A-b".into())));
}
