//! The 118 endpoints of the contract, and short ways to resolve a policy against them.

use std::sync::{Arc, LazyLock};

use abxd_policy::{
    Access, Catalog, Document, EndpointFacts, GroupSwitch, Identities, Inputs, LimitKey, ParamKey, PolicySet,
    ResolveError, Rule, Scope, Syntax,
};

const ENDPOINTS: &str = include_str!("data/endpoints.tsv");

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let rows = ENDPOINTS.lines().filter(|line| !line.starts_with('#'));
    Arc::new(Catalog::new(rows.map(endpoint).collect(), Vec::new()).expect("the table holds together"))
});

/// The contract's table.
pub(crate) fn catalog() -> Arc<Catalog> {
    Arc::clone(&CATALOG)
}

fn endpoint(row: &str) -> EndpointFacts {
    let mut cells = row.split('\t');
    let mut cell = || cells.next().expect("eight cells");
    let (id, method, path, group) = (cell(), cell(), cell(), cell());
    let (scopes, limits, params, flags) = (list(cell()), list(cell()), list(cell()), list(cell()));
    let has = |flag: &str| flags.contains(&flag);
    EndpointFacts {
        id: id.into(),
        method: method.to_owned(),
        path: path.to_owned(),
        group: group.to_owned(),
        scopes: scopes.into_iter().map(|scope| Scope::parse(scope).expect("a scope")).collect(),
        limits: limits.into_iter().map(|key| LimitKey::parse(key).expect("a limit")).chain(LimitKey::COMMON).collect(),
        params: params.into_iter().map(|key| ParamKey::parse(key).expect("a parameter")).collect(),
        paths: has("paths"),
        exec: has("exec"),
        streaming: has("streaming"),
        auth: !has("open"),
        is_virtual: has("virtual"),
        default_access: match () {
            () if has("write") => Access::Write,
            () if has("delete") => Access::Delete,
            () if has("run") => Access::Exec,
            () => Access::Read,
        },
        summary: id.to_owned(),
    }
}

fn list(cell: &str) -> Vec<&str> {
    if cell == "-" { Vec::new() } else { cell.split(',').collect() }
}

/// A document that must be valid.
pub(crate) fn document(json: &str) -> Document {
    Document::parse(json.as_bytes(), Syntax::Json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Resolves with every input.
pub(crate) fn try_resolve(json: &str, code: &[(&str, bool)], enabled_groups: &str) -> Result<PolicySet, ResolveError> {
    let code: Vec<_> = code.iter().map(|&(group, enabled)| GroupSwitch { group: group.to_owned(), enabled }).collect();
    PolicySet::resolve(catalog(), &document(json), &Inputs { code: &code, enabled_groups })
}

/// Resolves a document alone.
pub(crate) fn resolve(json: &str) -> PolicySet {
    try_resolve(json, &[], "").unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// The rule of an endpoint that is there.
pub(crate) fn rule<'a>(policy: &'a PolicySet, id: &str) -> &'a Arc<Rule> {
    policy.rule(id).unwrap_or_else(|| panic!("no endpoint {id}"))
}

/// The identities of a document whose variables all hold their own name in lower case.
pub(crate) fn identities(json: &str) -> Identities {
    Identities::new(&document(json), &|name| Some(name.to_lowercase().into_bytes())).expect("tokens with values")
}
