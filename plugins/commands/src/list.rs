//! `list_commands`: what the caller may run, in the order of registration. Contract: commands §2.

use abx_sdk::commands::{self, Command, Kind};
use abx_sdk::{Response, json};

pub(crate) fn list() -> Response {
    Response::json(answer(&commands::list()))
}

/// Hidden commands, and those with a scope that the caller lacks, are left out.
fn answer(commands: &[Command]) -> Vec<u8> {
    json::object(64 + commands.len() * 256, |answer| {
        answer.list("commands", |list| {
            for command in commands.iter().filter(|command| !command.hidden && command.lacking.is_none()) {
                list.object(|item| {
                    item.text("name", &command.name);
                    item.list("args", |arguments| {
                        for argument in &command.arguments {
                            arguments.object(|item| {
                                item.text("name", &argument.name);
                                item.text("type", name(argument.kind));
                                item.flag("required", argument.required);
                                match &argument.default {
                                    Some(text) => item.text("default", text),
                                    None => item.null("default"),
                                }
                                item.text("description", &argument.description);
                            });
                        }
                    });
                    item.text("description", &command.description);
                });
            }
        });
    })
}

/// What the contract calls a kind.
pub(crate) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Integer => "integer",
        Kind::Float => "float",
        Kind::Boolean => "boolean",
        Kind::Texts => "string_array",
    }
}

#[cfg(test)]
mod tests {
    use super::answer;
    use abx_sdk::commands::{Argument, Command, Kind};
    use serde_json::{Value, json};

    fn command(name: &str) -> Command {
        let (name, description) = (name.to_owned(), String::new());
        Command { name, arguments: vec![], description, hidden: false, lacking: None }
    }

    fn argument(name: &str, kind: Kind, default: Option<&str>) -> Argument {
        let (name, default) = (name.to_owned(), default.map(str::to_owned));
        Argument { name, kind, required: default.is_none(), default, description: "d".to_owned() }
    }

    #[test]
    fn what_the_caller_may_run_is_listed_in_order() {
        let hidden = Command { hidden: true, ..command("hidden") };
        let lacking = Command { lacking: Some("deploy".to_owned()), ..command("lacking") };
        let commands = [command("b"), hidden, command("a"), lacking];
        let found: Value = serde_json::from_slice(&answer(&commands)).unwrap();
        let names: Vec<_> = found["commands"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(answer(&[]), br#"{"commands":[]}"#);
    }

    #[test]
    fn arguments_are_shown_as_they_were_registered() {
        let arguments = vec![
            argument("a\"", Kind::Text, None),
            argument("b", Kind::Integer, Some("N/A")),
            argument("c", Kind::Float, Some("2")),
            argument("d", Kind::Boolean, Some("yes")),
            argument("e", Kind::Texts, Some("[\"x\"]")),
        ];
        let command = Command { arguments, description: "what".to_owned(), ..command("x") };
        let expected = json!({"commands": [{"name": "x", "description": "what", "args": [
            {"name": "a\"", "type": "string", "required": true, "default": null, "description": "d"},
            {"name": "b", "type": "integer", "required": false, "default": "N/A", "description": "d"},
            {"name": "c", "type": "float", "required": false, "default": "2", "description": "d"},
            {"name": "d", "type": "boolean", "required": false, "default": "yes", "description": "d"},
            {"name": "e", "type": "string_array", "required": false, "default": "[\"x\"]", "description": "d"},
        ]}]});
        assert_eq!(serde_json::from_slice::<Value>(&answer(&[command])).unwrap(), expected);
    }
}
