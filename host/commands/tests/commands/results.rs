//! What commands return, as JSON (`contract: commands §3`).

use serde_json::json;

use crate::rig::{Rig, call, failed};

const COMMANDS: &str = r#"
import collections, dataclasses, datetime, decimal, enum, os, sys
from agent_sandbox.server import PolicyDenied, command

class Color(str, enum.Enum):
    RED = "red"

class Level(enum.IntEnum):
    HIGH = 3

@dataclasses.dataclass
class Point:
    x: int

class Silent(Exception):
    def __str__(self): raise ValueError("no text")

cycle = []
cycle.append({"in": cycle})
shared = [1]
values = {
    "plain": [None, True, 0, -5, 1.5, "é\n\"", [], {}, {"a": [1]}],
    "large": [10**400, 2**64],
    "floats": [float("nan"), float("inf"), -float("inf"), 1e22, -0.0, {"x": float("nan")}],
    "keys": {1: "a", True: "b", None: "c", 2.5: "d", "e": "f", float("nan"): "g"},
    "collisions": {"1": "first", "x": 0, 1: "last"},
    "shown": [b"ab", {1}, (1, (2,)), Point(1), decimal.Decimal("1.50"), datetime.date(2024, 1, 2), object, 1j],
    "kinds": [Color.RED, Level.HIGH, collections.OrderedDict(b=1, a=2), collections.namedtuple("T", "a b")(1, 2)],
    "generator": (number for number in [1]),
    "shared": [shared, shared],
    "surrogate": "a\ud800",
    "text": "x" * (3 << 20),
}
for name, value in values.items():
    command(name, args=[])(lambda value=value: value)

@command()
def nothing(): pass

@command()
async def later():
    import asyncio
    await asyncio.sleep(0.01)
    return "later"

@command()
def awaitable(): return later()

def failing(name, make):
    def fail(): raise make()
    command(name, args=[])(fail)

failing("boom", lambda: RuntimeError("boom"))
failing("empty", lambda: KeyError())
failing("silent", Silent)
failing("exit", lambda: SystemExit(3))
failing("interrupt", KeyboardInterrupt)
failing("denied", lambda: PolicyDenied("path_denied", "not there", status=403))
failing("surrogates", lambda: ValueError("a\ud800b"))
failing("endless", lambda: ValueError("x" * (1 << 22)))
command("cycle")(lambda: cycle)
command("key")(lambda: {(1, 2): 3})
command("digits")(lambda: 10**5000)
command("unshown")(lambda: [type("Odd", (), {"__repr__": lambda self: 1 / 0})()])
command("gone", args=[])(lambda: os._exit(4))

@command()
async def broken(): raise LookupError("async")
"#;

#[tokio::test(flavor = "multi_thread")]
async fn values_become_json() {
    let rig = Rig::new();
    let loaded = rig.python(COMMANDS).await;
    for (name, value) in [
        ("plain", json!([null, true, 0, -5, 1.5, "é\n\"", [], {}, {"a": [1]}])),
        ("floats", json!([null, null, null, 1e22, -0.0, {"x": null}])),
        ("keys", json!({"1": "a", "true": "b", "null": "c", "2.5": "d", "e": "f", "NaN": "g"})),
        ("collisions", json!({"1": "last", "x": 0})),
        ("shown", json!(["b'ab'", "{1}", [1, [2]], "Point(x=1)", "1.50", "2024-01-02", "<class 'object'>", "1j"])),
        ("kinds", json!(["red", 3, {"b": 1, "a": 2}, [1, 2]])),
        ("shared", json!([[1], [1]])),
        ("nothing", json!(null)),
        ("later", json!("later")),
        ("awaitable", json!("later")),
        ("text", json!("x".repeat(3 << 20))),
    ] {
        // In Python `True` and `1` are the same key.
        let expected =
            if name == "keys" { json!({"1": "b", "null": "c", "2.5": "d", "e": "f", "NaN": "g"}) } else { value };
        assert_eq!(call(&loaded, name, &[]).await.unwrap(), expected, "{name}");
    }
    let shown = call(&loaded, "generator", &[]).await.unwrap();
    assert!(shown.as_str().unwrap().starts_with("<generator object "), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn integers_keep_all_their_digits_and_surrogates_are_escaped() {
    use abxd_commands::{Returned, Values};
    let rig = Rig::new();
    let loaded = rig.python(COMMANDS).await;
    for (name, expected) in
        [("large", format!("[1{},18446744073709551616]", "0".repeat(400))), ("surrogate", r#""a\ud800""#.to_owned())]
    {
        let command = loaded.registry.find(name).unwrap();
        let Returned::Json(text) = command.target.call(&Values::default()).await.unwrap() else { panic!("{name}") };
        assert_eq!(String::from_utf8(text.read().unwrap()).unwrap(), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_class_and_text() {
    let rig = Rig::new();
    let loaded = rig.python(COMMANDS).await;
    for (name, class, text) in [
        ("boom", "RuntimeError", "boom"),
        ("empty", "KeyError", ""),
        ("silent", "Silent", ""),
        ("exit", "SystemExit", "3"),
        ("interrupt", "KeyboardInterrupt", ""),
        ("denied", "PolicyDenied", "not there"),
        ("surrogates", "ValueError", "a?b"),
        ("endless", "ValueError", &"x".repeat(1 << 16)),
        ("cycle", "ValueError", "Circular reference detected"),
        ("key", "TypeError", "keys must be str, int, float, bool or None, not tuple"),
        ("unshown", "ZeroDivisionError", "division by zero"),
        ("broken", "LookupError", "async"),
    ] {
        assert_eq!(failed(&loaded, name).await, (class.to_owned(), text.to_owned()), "{name}");
    }
    let (class, text) = failed(&loaded, "digits").await;
    assert!(class == "ValueError" && text.contains("4300"), "{text}");
    let (class, text) = failed(&loaded, "gone").await;
    assert_eq!((&*class, &*text), ("RuntimeError", "the Python worker ended with exit code 4"));
    // The next call has another worker.
    assert_eq!(failed(&loaded, "boom").await.0, "RuntimeError");
}
