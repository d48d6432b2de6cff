//! Commands that plugins declare.

use std::sync::Arc;

use abxd_commands::{Argument, Command, Kind};
use abxd_manifest::{ArgumentDecl, ArgumentKind, CommandDecl, Manifest};
use abxd_plugins::commands::PluginCommand;

use super::{Handler, Served};

/// The commands of all plugins that are served. One whose endpoint is off is not there; a caller needs its scopes and
/// those of the endpoint.
pub(super) fn of_plugins(manifests: &[Manifest], served: &[Arc<Served>]) -> Vec<Command<PluginCommand>> {
    let declared = manifests.iter().flat_map(|manifest| &manifest.commands);
    declared.filter_map(|decl| command(decl, served)).collect()
}

fn command(decl: &CommandDecl, served: &[Arc<Served>]) -> Option<Command<PluginCommand>> {
    let endpoint = served.iter().find(|served| **served.id() == *decl.endpoint && served.rule.is_enabled())?;
    let Handler::Component(plugin) = &endpoint.handler else { return None };
    let mut scopes = decl.scopes.clone();
    for scope in endpoint.rule.scopes() {
        if !scopes.iter().any(|known| known == scope.as_str()) {
            scopes.push(scope.as_str().to_owned());
        }
    }
    Some(Command {
        name: decl.name.clone(),
        arguments: decl.args.iter().map(argument).collect(),
        description: decl.description.clone(),
        hidden: decl.hidden,
        scopes,
        target: PluginCommand { plugin: plugin.clone(), endpoint: endpoint.endpoint.clone() },
    })
}

fn argument(decl: &ArgumentDecl) -> Argument {
    Argument {
        name: decl.name.clone(),
        kind: match decl.kind {
            ArgumentKind::String => Kind::Text,
            ArgumentKind::Integer => Kind::Integer,
            ArgumentKind::Float => Kind::Float,
            ArgumentKind::Boolean => Kind::Boolean,
            ArgumentKind::StringArray => Kind::Texts,
        },
        required: decl.required,
        default: decl.default.clone(),
        description: decl.description.clone(),
    }
}
