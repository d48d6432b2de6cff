//! Domain `Runtime`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Tells of worlds, and of what is written to the console.
    Enable = "Runtime.enable" -> Nothing {}

    /// Lets a new target run that waits for this.
    RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" -> Nothing {}

    /// Evaluates an expression in a world.
    Evaluate<'a> = "Runtime.evaluate" -> Evaluated {
        expression: &'a str,
        #[serde(rename = "uniqueContextId")]
        world: &'a str,
        return_by_value: bool,
        await_promise: bool,
        user_gesture: bool,
        /// Milliseconds after which the script, as far as it runs in one go, is terminated.
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout: Option<u64>,
    }

    /// Calls a function on an object.
    CallFunctionOn<'a> = "Runtime.callFunctionOn" -> Evaluated {
        function_declaration: &'a str,
        object_id: &'a str,
        arguments: Vec<Argument<'a>>,
        return_by_value: bool,
        await_promise: bool,
        user_gesture: bool,
    }

    /// Ends the script that runs now, or the one that runs next.
    TerminateExecution = "Runtime.terminateExecution" -> Nothing {}

    /// Forgets objects that were told of.
    ReleaseObjectGroup = "Runtime.releaseObjectGroup" -> Nothing { object_group: &'static str }
}

/// An argument of a function.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Argument<'a> {
    pub(crate) value: &'a Value,
}

/// What came of a script.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub(crate) result: RemoteObject,
    pub(crate) exception_details: Option<ExceptionDetails>,
}

/// A value, or the picture of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteObject {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) subtype: Option<String>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) value: Option<Value>,
    pub(crate) unserializable_value: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) object_id: Option<String>,
    pub(crate) preview: Option<ObjectPreview>,
}

/// `null` is a value as well.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// An object, one level deep.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ObjectPreview {
    pub(crate) properties: Vec<PropertyPreview>,
}

/// One property of it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PropertyPreview {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) value: String,
}

/// What was thrown.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ExceptionDetails {
    pub(crate) text: String,
    pub(crate) exception: Option<RemoteObject>,
}

events! {
    /// A world has come to be.
    ExecutionContextCreated = "Runtime.executionContextCreated" { context: ContextDescription }

    /// A world is gone.
    ExecutionContextDestroyed = "Runtime.executionContextDestroyed" {
        #[serde(default, rename = "executionContextUniqueId")]
        unique_id: String,
    }

    /// All worlds are gone.
    ExecutionContextsCleared = "Runtime.executionContextsCleared" {}

    /// Something was written to the console.
    ConsoleApiCalled = "Runtime.consoleAPICalled" {
        #[serde(rename = "type")]
        kind: String,
        args: Vec<RemoteObject>,
        #[serde(default)]
        execution_context_id: u64,
    }

    /// Nobody caught what was thrown.
    ExceptionThrown = "Runtime.exceptionThrown" { exception_details: ExceptionDetails }
}

/// A world.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextDescription {
    pub(crate) unique_id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aux_data: AuxData,
}

/// Whose it is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuxData {
    #[serde(default)]
    pub(crate) is_default: bool,
    #[serde(default)]
    pub(crate) frame_id: String,
}
