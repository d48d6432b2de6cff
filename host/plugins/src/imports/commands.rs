//! `abx:host/commands`: what the operator and the plugins have registered.
//!
//! Which scopes a caller lacks is judged here, by the identity of the call; so is whether values fit what a command
//! declares, whatever the component says.

use abxd_commands::{Argument, CallFailure, Command, Kind, Returned, Value, Values};

use super::children::source;
use crate::bindings::abx::host::commands as wit;
use crate::bindings::abx::host::failures::Failure;
use crate::commands::{Runs, lacking};
use crate::exchange::Call;
use crate::instance::State;

impl wit::Host for State {
    fn list(&mut self) -> wasmtime::Result<Vec<wit::Command>> {
        let call = State::call(self)?;
        Ok(call.commands.iter().map(|command| shown(command, call)).collect())
    }

    fn find(&mut self, name: String) -> wasmtime::Result<Option<wit::Command>> {
        let call = State::call(self)?;
        Ok(call.commands.find(&name).map(|command| shown(command, call)))
    }

    async fn call(
        &mut self,
        name: String,
        arguments: Vec<(String, wit::Value)>,
    ) -> wasmtime::Result<Result<wit::Returned, wit::CallFailure>> {
        let _wait = self.waits.begin();
        let call = State::call(self)?.clone();
        let commands = call.commands.clone();
        let Some(command) = commands.find(&name) else { return Ok(Err(wit::CallFailure::Missing)) };
        if let Some(scope) = lacking(command, &call.identity) {
            return Ok(Err(wit::CallFailure::Lacking(scope.to_owned())));
        }
        let given = arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
        let values = match Values::new(&command.arguments, given) {
            Ok(values) => values,
            Err(unfit) => return Ok(Err(wit::CallFailure::Other(Failure::Malformed(unfit.to_string())))),
        };
        let left = call.client.left();
        let answered = tokio::select! {
            answered = command.target.call(&name, &values, call) => answered,
            () = left => {
                let cause = Failure::CutOff("the client has left".to_owned());
                return Ok(Err(wit::CallFailure::Other(cause)));
            }
        };
        Ok(match answered {
            Ok(Returned::Json(json)) => Ok(wit::Returned::Json(source(json, &mut self.table)?)),
            Ok(Returned::Text(text)) => Ok(wit::Returned::Text(source(text, &mut self.table)?)),
            Err(failure) => Err(failure.into()),
        })
    }
}

fn shown(command: &Command<Runs>, call: &Call) -> wit::Command {
    wit::Command {
        name: command.name.clone(),
        arguments: command.arguments.iter().map(argument).collect(),
        description: command.description.clone(),
        hidden: command.hidden,
        lacking: lacking(command, &call.identity).map(str::to_owned),
    }
}

fn argument(argument: &Argument) -> wit::Argument {
    wit::Argument {
        name: argument.name.clone(),
        kind: match argument.kind {
            Kind::Text => wit::Kind::Text,
            Kind::Integer => wit::Kind::Integer,
            Kind::Float => wit::Kind::Float,
            Kind::Boolean => wit::Kind::Boolean,
            Kind::Texts => wit::Kind::Texts,
        },
        required: argument.required,
        default: argument.default.clone(),
        description: argument.description.clone(),
    }
}

impl From<wit::Value> for Value {
    fn from(value: wit::Value) -> Self {
        match value {
            wit::Value::Text(text) => Self::Text(text),
            wit::Value::Integer(digits) => Self::Integer(digits),
            wit::Value::Float(number) => Self::Float(number),
            wit::Value::Boolean(flag) => Self::Boolean(flag),
            wit::Value::Texts(texts) => Self::Texts(texts),
        }
    }
}

impl From<CallFailure> for wit::CallFailure {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Raised { class, text } => Self::Raised((class, text)),
            CallFailure::Busy => Self::Other(Failure::Exhausted(failure.to_string())),
        }
    }
}
