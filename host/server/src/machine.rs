//! From policy's words to the guards': neither knows the other.

use std::path::PathBuf;

use abxd_guards::command::CommandRule;
use abxd_guards::environment::SecretNames;
use abxd_guards::extension::ExtensionRule;
use abxd_guards::path::{Access, PathRule, Symlinks};
use abxd_guards::url::{AddressRule, UrlRule};
use abxd_policy::{self as policy, Identities, Params, PathSettings};
use serde_json::Value;

/// How a path will be used.
#[must_use]
pub fn access(access: policy::Access) -> Access {
    match access {
        policy::Access::Read => Access::Read,
        policy::Access::Write => Access::Write,
        policy::Access::Delete => Access::Delete,
        policy::Access::Exec => Access::Exec,
    }
}

/// The path rule of an endpoint.
#[must_use]
pub fn path_rule(settings: &PathSettings) -> PathRule {
    PathRule {
        allow: settings.allow().iter().map(PathBuf::from).collect(),
        deny: settings.deny().to_vec(),
        read_only: settings.read_only(),
        symlinks: match settings.symlinks() {
            policy::Symlinks::Within => Symlinks::Within,
            policy::Symlinks::Never => Symlinks::Never,
        },
    }
}

/// The extension rule of an endpoint's uploads.
#[must_use]
pub fn extension_rule(params: &Params) -> ExtensionRule {
    let params = params.to_json();
    let texts = |name: &str| {
        let list = params.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    ExtensionRule::new(texts("allow_extensions"), texts("deny_extensions"))
}

/// The command rule of an endpoint.
#[must_use]
pub fn command_rule(params: &Params) -> CommandRule {
    CommandRule {
        allow: params.allow_commands().map(<[_]>::to_vec),
        deny: params.deny_commands().to_vec(),
        allow_required: false,
    }
}

/// The URL rule of an endpoint.
#[must_use]
pub fn url_rule(params: &Params) -> UrlRule {
    UrlRule {
        allow: params.url_allow().map(<[_]>::to_vec),
        deny: params.url_deny().to_vec(),
        addresses: AddressRule { block_private_networks: params.block_private_networks() },
    }
}

/// The names of variables that hold secrets, and those of them that children don't inherit: without tokens there is
/// nothing to keep from them (contract: process §1.5).
#[must_use]
pub fn secret_names(identities: &Identities) -> (SecretNames, SecretNames) {
    let names: SecretNames = identities.secret_names().iter().cloned().collect();
    let hidden = if identities.has_tokens() { names.clone() } else { SecretNames::default() };
    (names, hidden)
}
