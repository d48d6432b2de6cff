//! Calls: what functions get, and that none holds up another.

use std::time::Duration;

use abxd_commands::Value;
use serde_json::json;

use crate::rig::{Rig, call, failed, text};

#[tokio::test(flavor = "multi_thread")]
async fn functions_get_values_of_their_types() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            r#"
from agent_sandbox.server import command

@command()
def f(a: str, b: int, c: float, d: bool, e: list[str], g: str = "own"):
    return [type(value).__name__ for value in (a, b, c, d, e)] + [a, str(b), repr(c), d, e, g]

@command()
def places(a, /, b, *, c="c"):
    return [a, b, c]
"#,
        )
        .await;
    let values = [
        ("a", text("é\"\n")),
        ("b", Value::Integer("9".repeat(4300))),
        ("c", Value::Float(2.0)),
        ("d", Value::Boolean(false)),
        ("e", Value::Texts(vec!["x".to_owned()])),
    ];
    let expected =
        json!(["str", "int", "float", "bool", "list", "é\"\n", "9".repeat(4300), "2.0", false, ["x"], "own"]);
    assert_eq!(call(&loaded, "f", &values).await.unwrap(), expected);
    for (number, shown) in [(f64::NAN, "nan"), (f64::NEG_INFINITY, "-inf"), (1e300, "1e+300"), (-0.0, "-0.0")] {
        let values: Vec<_> = values.iter().filter(|&&(name, _)| name != "c").cloned().collect();
        let values = [values, vec![("c", Value::Float(number))]].concat();
        assert_eq!(call(&loaded, "f", &values).await.unwrap()[7], shown);
    }
    let values = [("a", text("1")), ("b", text("2"))];
    assert_eq!(call(&loaded, "places", &values).await.unwrap(), json!(["1", "2", "c"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_run_beside_each_other_and_share_what_their_module_holds() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            r#"
import threading
from agent_sandbox.server import command

gate, count = threading.Barrier(8), []

@command()
def meet():
    count.append(1)
    gate.wait(30)
    return len(count)
"#,
        )
        .await;
    let loaded = &loaded;
    let calls = (0..8).map(|_| call(loaded, "meet", &[]));
    for answer in futures_util::future::join_all(calls).await {
        assert_eq!(answer.unwrap(), 8);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_never_ends_blocks_no_other() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            "from agent_sandbox.server import command\nimport asyncio\n\
             @command()\ndef loop():\n    while True: pass\n\
             @command()\nasync def later():\n    while True: pass\n\
             @command()\ndef quick(): return 1\n",
        )
        .await;
    for name in ["loop", "later"] {
        let command = loaded.registry.find(name).unwrap();
        let values = abxd_commands::Values::default();
        let hanging = tokio::time::timeout(Duration::from_millis(300), command.target.call(&values)).await;
        assert!(hanging.is_err(), "{name}");
        // It runs on, though nobody waits for it.
        assert_eq!(call(&loaded, "quick", &[]).await.unwrap(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_registered_too_late_is_the_calls_error() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            "from agent_sandbox.server import command\n\
             @command()\ndef late(): command('other')(late)\n",
        )
        .await;
    let (class, text) = failed(&loaded, "late").await;
    assert_eq!(class, "RuntimeError");
    assert!(text.contains("too late"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_see_the_environment_of_the_start_and_an_empty_input() {
    let rig = Rig::with(&[("COLOR", "blue")]);
    let loaded = rig
        .python(
            "import os, sys\nfrom agent_sandbox.server import command\n\
             command('a')(lambda: [os.environ['COLOR'], sys.stdin.read(), os.getcwd(), sorted(os.listdir('/proc/self/fd'))])\n",
        )
        .await;
    let seen = call(&loaded, "a", &[]).await.unwrap();
    assert_eq!((&seen[0], &seen[1]), (&json!("blue"), &json!("")));
    // Its own descriptors: the three of every program, the channel, and the listing.
    assert_eq!(seen[3], json!(["0", "1", "2", "3", "4"]), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn children_of_commands_have_no_channel() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            "import os, subprocess\nfrom agent_sandbox.server import command\n\
             @command()\ndef child(): return subprocess.run(['ls', '/proc/self/fd'], stdout=-1, close_fds=False, text=True).stdout.split()\n\
             @command()\ndef forked():\n    read, write = os.pipe()\n    if os.fork() == 0:\n\
             \x20       links = [os.readlink('/proc/self/fd/%d' % each) for each in range(3, 6) if os.path.exists('/proc/self/fd/%d' % each)]\n\
             \x20       os.write(write, ','.join(links).encode())\n        os._exit(0)\n\
             \x20   return os.read(read, 100).decode()\n",
        )
        .await;
    assert_eq!(call(&loaded, "child", &[]).await.unwrap(), json!(["0", "1", "2", "3"]));
    let forked = call(&loaded, "forked", &[]).await.unwrap();
    assert!(!forked.as_str().unwrap().contains("socket"), "{forked}");
}
