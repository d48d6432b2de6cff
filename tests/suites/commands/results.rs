//! What commands return and raise, over the wire (contract: commands §3).

use serde_json::json;

use crate::harness::Setup;

const COMMANDS: &str = r#"
import datetime, sys
from agent_sandbox.server import PolicyDenied, command

@command()
async def later(): return "awaited"

cycle = []; cycle.append(cycle)
for name, value in {
    "floats": [float("nan"), float("inf"), 1.5],
    "keys": {1: "a", None: "b", True: "c"},
    "shown": [b"ab", {1}, datetime.date(2024, 1, 2)],
    "large": "é" * (4 << 20),
    "nothing": None,
    "false": False,
    "cycle": cycle,
    "key": {(1,): 2},
}.items():
    command(name, args=[])(lambda value=value: value)

class _Own_Größe(Exception): pass

def failing(name, error):
    @command(name)
    def fail(): raise error

failing("boom", RuntimeError("it's \"boom\"\nand more"))
failing("empty", ValueError())
failing("own", _Own_Größe("x"))
failing("denied", PolicyDenied("path_denied", "not there"))
failing("exit", SystemExit(2))
"#;

#[test]
fn values_are_json_whatever_they_are_in_python() {
    let server = Setup::new().python(COMMANDS).start();
    for (name, value) in [
        ("later", json!("awaited")),
        ("floats", json!([null, null, 1.5])),
        ("keys", json!({"1": "c", "null": "b"})),
        ("shown", json!(["b'ab'", "{1}", "2024-01-02"])),
        ("nothing", json!(null)),
        ("false", json!(false)),
    ] {
        assert_eq!(server.run(name, &json!({})).ok(), json!({"result": value}), "{name}");
    }
    let large = server.result("large");
    assert_eq!(large.as_str().unwrap().chars().count(), 4 << 20);
}

#[test]
fn what_is_raised_is_class_and_text_without_a_code() {
    let server = Setup::new().python(COMMANDS).start();
    for (name, class, text) in [
        ("boom", "RuntimeError", "it's \"boom\"\nand more"),
        ("empty", "ValueError", "ValueError"),
        ("own", "_Own_Größe", "x"),
        ("denied", "PolicyDenied", "not there"),
        ("exit", "SystemExit", "2"),
        ("cycle", "ValueError", "Circular reference detected"),
        ("key", "TypeError", "keys must be str, int, float, bool or None, not tuple"),
    ] {
        let body = server.run(name, &json!({})).failed_as(500, class);
        assert_eq!(body, json!({"error": text, "type": class, "endpoint": "run_command"}), "{name}");
    }
    // An exit in a command ends nothing but that call.
    assert_eq!(server.result("later"), "awaited");
}
