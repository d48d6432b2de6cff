//! From a manifest's declaration to what policy knows of an endpoint.

use abxd_manifest as manifest;
use abxd_policy::{Access, EndpointFacts, LimitKey, ParamKey, Scope};

use super::TableError;

pub(super) fn of(group: &str, declared: &manifest::EndpointDecl) -> Result<EndpointFacts, TableError> {
    let scope =
        |text: &String| Scope::parse(text).map_err(|cause| TableError::Scope { endpoint: declared.id.clone(), cause });
    let limits = manifest::COMMON_LIMITS.iter().copied().chain(declared.limits.iter().map(String::as_str));
    Ok(EndpointFacts {
        id: declared.id.as_str().into(),
        method: declared.method.as_str().to_owned(),
        path: declared.path.clone(),
        group: group.to_owned(),
        scopes: declared.scopes.iter().map(scope).collect::<Result<_, _>>()?,
        // The manifest's own check refused names that are not known.
        limits: limits.filter_map(LimitKey::parse).collect(),
        params: declared.params.iter().filter_map(|name| ParamKey::parse(name)).collect(),
        paths: declared.paths,
        exec: declared.exec,
        streaming: declared.streaming,
        auth: declared.auth,
        is_virtual: declared.is_virtual,
        default_access: match declared.access {
            manifest::Access::Read => Access::Read,
            manifest::Access::Write => Access::Write,
            manifest::Access::Delete => Access::Delete,
            manifest::Access::Exec => Access::Exec,
        },
        summary: declared.summary.clone(),
    })
}
