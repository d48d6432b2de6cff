//! The commands of a deployment: those that the operator registered, and those that its plugins declare.

use std::sync::Arc;

use abxd_capabilities::process::CapturedText;
use abxd_commands::{CallFailure, Command, Registry, Returned, Target, Values};
use abxd_policy::Identity;
use bytes::Bytes;
use serde::de::IgnoredAny;

use crate::exchange::{Answer, AnswerBody, Call, Endpoint, InBody, Problem, Request};
use crate::{Plugin, PluginError};

/// All commands. Frozen: a reload makes others beside them.
#[derive(Debug, Default)]
pub struct Commands(Registry<Runs>);

/// What runs when a command is called.
#[derive(Clone, Debug)]
pub enum Runs {
    /// What a file registered or declared.
    Operator(Target),
    /// A plugin.
    Plugin(PluginCommand),
}

/// A command that a plugin serves.
#[derive(Clone, Debug)]
pub struct PluginCommand {
    /// The plugin.
    pub plugin: Arc<Plugin>,
    /// The endpoint under whose rule it works.
    pub endpoint: Arc<Endpoint>,
}

impl Commands {
    /// What plugins declare, then what the operator registered: the operator's word is the last.
    pub fn new(plugins: impl IntoIterator<Item = Command<PluginCommand>>, operator: &Registry<Target>) -> Self {
        let mut registry = Registry::default();
        for command in plugins {
            registry.register(command.map(Runs::Plugin));
        }
        for command in operator.iter().cloned() {
            registry.register(command.map(Runs::Operator));
        }
        Self(registry)
    }

    /// A command by its exact name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Command<Runs>> {
        self.0.find(name)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Command<Runs>> {
        self.0.iter()
    }
}

/// The first scope of a command that an identity lacks.
pub(crate) fn lacking<'a, T>(command: &'a Command<T>, identity: &Identity) -> Option<&'a str> {
    command.scopes.iter().map(String::as_str).find(|scope| !identity.scopes().grants_named(scope))
}

impl Runs {
    /// Call it for whoever `call` is for.
    ///
    /// # Errors
    /// See [`CallFailure`].
    pub(crate) async fn call(&self, name: &str, values: &Values, call: Call) -> Result<Returned, CallFailure> {
        match self {
            Self::Operator(target) => target.call(values).await,
            Self::Plugin(command) => command.call(name, values, call).await,
        }
    }
}

impl PluginCommand {
    /// The plugin gets the call as one of its own: for the same caller, under the rule of its endpoint.
    async fn call(&self, name: &str, values: &Values, call: Call) -> Result<Returned, CallFailure> {
        let body = InBody::Json(values.to_json().into_bytes());
        let request = Request { path_params: Vec::new(), query: Vec::new(), headers: Vec::new(), body };
        let call = Call { endpoint: self.endpoint.clone(), ..call };
        let operation = format!("command:{name}");
        let outcome = self.plugin.handle_as(&operation.into(), call, request).await.map_err(|cause| {
            if let PluginError::Failed(cause) = &cause {
                tracing::error!(group = &**self.plugin.group(), command = name, ?cause, "the plugin gave no answer");
            }
            CallFailure::raised("RuntimeError", cause.to_string())
        })?;
        match outcome {
            Ok(answer) => result(answer),
            Err(Problem::Fault(fault)) => Err(CallFailure::raised(&fault.kind, fault.message)),
            Err(Problem::Denied(denial)) => Err(CallFailure::raised("PolicyDenied", denial.message)),
        }
    }
}

/// One JSON value, made by the plugin. Nothing is `null`.
fn result(answer: Answer) -> Result<Returned, CallFailure> {
    let json = match answer.body {
        AnswerBody::Empty => Some(b"null".to_vec()),
        AnswerBody::Bytes(bytes) => serde_json::from_slice::<IgnoredAny>(&bytes).is_ok().then_some(bytes),
        AnswerBody::Source(_) | AnswerBody::Segments(_) | AnswerBody::Events(_) => None,
    };
    match json {
        Some(json) => Ok(Returned::Json(CapturedText::Memory(Bytes::from(json)))),
        None => Err(CallFailure::raised("RuntimeError", "the plugin did not answer with one JSON value")),
    }
}

#[cfg(test)]
mod tests {
    use abxd_capabilities::process::CapturedText;
    use abxd_commands::{Command, Returned};
    use abxd_policy::{Identity, Scopes};

    use super::{lacking, result};
    use crate::exchange::{Answer, AnswerBody};

    fn answered(body: AnswerBody) -> Option<String> {
        match result(Answer { status: 200, headers: vec![], body }) {
            Ok(Returned::Json(CapturedText::Memory(text))) => Some(String::from_utf8(text.into()).unwrap()),
            _ => None,
        }
    }

    #[test]
    fn a_plugins_answer_is_one_json_value() {
        let bytes = |text: &str| answered(AnswerBody::Bytes(text.as_bytes().to_vec()));
        assert_eq!(bytes(" [1] ").as_deref(), Some(" [1] "));
        assert_eq!(answered(AnswerBody::Empty).as_deref(), Some("null"));
        for text in ["", "1,\"x\":2", "NaN", "\u{1}", "{"] {
            assert_eq!(bytes(text), None, "{text:?}");
        }
        assert_eq!(answered(AnswerBody::Segments(vec![])), None);
    }

    #[test]
    fn the_first_scope_that_is_lacking_is_told() {
        let scopes = ["a:b", "c", "Odd Scope"].map(str::to_owned).to_vec();
        let (name, description) = (String::new(), String::new());
        let command = Command { name, arguments: vec![], description, hidden: false, scopes, target: () };
        let lacks = |held: &str| lacking(&command, &Identity::new("i", Scopes::parse_list(held).unwrap()));
        assert_eq!(lacks("c"), Some("a:b"));
        assert_eq!(lacks("a:*"), Some("c"));
        assert_eq!(lacks("a:b,c"), Some("Odd Scope"));
        assert_eq!(lacks("*"), None);
    }
}
