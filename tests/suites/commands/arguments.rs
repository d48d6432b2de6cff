//! Arguments over the wire: samples of the table of contract: commands §4, whose every cell is tested in the component.

use serde_json::{Value, json};

use crate::harness::{Server, Setup};

const COMMANDS: &str = r#"
from agent_sandbox.server import CommandArg, command

def shown(value):
    return [type(value).__name__, str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value]

for kind in ("string", "integer", "float", "boolean", "string_array"):
    command(kind, args=[CommandArg("v", kind)])(lambda v=None: shown(v))

@command()
def defaults(a: int = "N/A", b: float = 2, c: bool = "yes", d: list[str] = ["x"], e: str = None, f: int = 7):
    return [a, b, c, d, e, f]

@command("no defaults", args=[CommandArg("a"), CommandArg("b", required=True, default="z")])
def no_defaults(b, a="own"): return [a, b]
"#;

fn convert(server: &Server, kind: &str, value: &str) -> Option<Value> {
    let request = server.request("POST", &format!("/commands/{kind}")).body(format!("{{\"v\":{value}}}"));
    let answer = server.call(&request);
    if answer.status == 200 {
        return Some(answer.json()["result"].clone());
    }
    answer.failed_as(400, "TypeError");
    None
}

#[test]
fn values_are_converted_as_the_contract_says() {
    let server = Setup::new().python(COMMANDS).start();
    let digits = "9".repeat(4300);
    for (kind, value, expected) in [
        ("string", "\"x\"", Some(json!(["str", "x"]))),
        ("string", "1.0", Some(json!(["str", "1.0"]))),
        ("string", "1e22", Some(json!(["str", "1e+22"]))),
        ("string", "null", Some(json!(["str", "None"]))),
        ("string", "{\"b\":true,\"c\":null,\"d\":\"q'\"}", Some(json!(["str", "{'b': True, 'c': None, 'd': \"q'\"}"]))),
        ("integer", "\" 1_000 \"", Some(json!(["int", "1000"]))),
        ("integer", "-3.9", Some(json!(["int", "-3"]))),
        ("integer", "1e22", Some(json!(["int", "10000000000000000000000"]))),
        ("integer", &digits, Some(json!(["int", digits]))),
        ("integer", "\"٣\"", Some(json!(["int", "3"]))),
        ("integer", "true", None),
        ("integer", "\"1.5\"", None),
        ("integer", "null", None),
        ("float", "\"nan\"", Some(json!(["float", "nan"]))),
        ("float", "\"-Infinity\"", Some(json!(["float", "-inf"]))),
        ("float", "1", Some(json!(["float", "1.0"]))),
        ("float", "true", Some(json!(["float", "1.0"]))),
        ("float", "\"0x10\"", None),
        ("boolean", "\"tRuE\"", Some(json!(["bool", true]))),
        ("boolean", "0", Some(json!(["bool", false]))),
        ("boolean", "\"on\"", None),
        ("boolean", "1.0", None),
        ("string_array", "[\"a\",\"b\"]", Some(json!(["list", ["a", "b"]]))),
        ("string_array", "[]", Some(json!(["list", []]))),
        ("string_array", "[\"a\",1]", None),
        ("string_array", "\"a\"", None),
    ] {
        assert_eq!(convert(&server, kind, value), expected, "{value} as {kind}");
    }
}

#[test]
fn defaults_stand_in_for_what_is_not_given() {
    let server = Setup::new().python(COMMANDS).start();
    assert_eq!(server.result("defaults"), json!(["N/A", 2.0, true, ["x"], null, 7]));
    server.run("no%20defaults", &json!({})).failed_as(400, "ValueError");
    assert_eq!(server.run("no%20defaults", &json!({"b": "x"})).ok()["result"], json!(["own", "x"]));
}

/// A body at the limit grows when it is shown as Python shows it.
#[test]
fn the_largest_body_is_converted() {
    let server = Setup::new().python(COMMANDS).start();
    let text = "\u{e000}".repeat((10 * 1024 * 1024 - 64) / 3);
    let body = format!("{{\"v\":[\"{text}\"]}}");
    let answer = server.call(&server.request("POST", "/commands/string").body(body)).ok();
    assert_eq!(answer["result"][1].as_str().unwrap().len(), text.chars().count() * 6 + 4);
}
