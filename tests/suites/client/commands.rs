//! Commands.

use super::{check, python, setup};
use crate::harness::Server;

const COMMANDS: &str = r#"
from agent_sandbox.api.server_client import ServerClient
from agent_sandbox.server import command

@command(description="Add two numbers.")
def add(a: int, b: int = 1): return a + b

@command()
def flags(flag: bool = False, ratio: float = 1.5, names: list[str] = []): return [flag, ratio, names]

@command(hidden=True)
def hidden(): pass

@command()
def fail(): raise LookupError("it failed")

command("client")(lambda: ServerClient.__name__)
"#;

/// A server whose interpreter has the client installed.
fn server() -> Server {
    let setup = setup();
    let file = setup.keep("commands.py", COMMANDS);
    setup.arg("--python").arg(python()).arg("--commands").arg(file).start()
}

#[test]
fn every_method_of_the_client_works() {
    check(&server(), "commands.py", "every_method");
}

#[test]
fn refusals_are_the_clients_errors() {
    check(&server(), "commands.py", "errors");
}
