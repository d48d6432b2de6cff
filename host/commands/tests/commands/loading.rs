//! What files and modules register, and what keeps a server from starting.

use abxd_commands::{Kind, LoadError};

use crate::rig::{Rig, call, names, text};

const FLOW: tokio::runtime::RuntimeFlavor = tokio::runtime::RuntimeFlavor::MultiThread;

#[tokio::test(flavor = "multi_thread")]
async fn signatures_say_what_a_command_takes() {
    assert_eq!(tokio::runtime::Handle::current().runtime_flavor(), FLOW);
    let rig = Rig::new();
    let loaded = rig
        .python(
            r#"
import typing
from typing import List, Optional
from agent_sandbox.server import command

@command()
def all(a: int, b: float, c: bool, d: list[str], e, f: Optional[int], g: dict, h: List[str], *rest, **more): pass

@command(description="d", hidden=True, scopes=("x:y", "z"))
def defaults(a: int = 5, b: float = 1.5, c: bool = True, d: list[str] = ["x", "é"], e=None, f: dict = {},
             g: list[str] = None, h: "int" = 7, i: str = "t", j: list = []): pass
"#,
        )
        .await;
    let shown = |name: &str| {
        let command = loaded.registry.find(name).unwrap();
        let argument = |argument: &abxd_commands::Argument| {
            (argument.name.clone(), argument.kind, argument.required, argument.default.clone())
        };
        command.arguments.iter().map(argument).collect::<Vec<_>>()
    };
    let required = |name: &str, kind| (name.to_owned(), kind, true, None);
    assert_eq!(
        shown("all"),
        [
            required("a", Kind::Integer),
            required("b", Kind::Float),
            required("c", Kind::Boolean),
            required("d", Kind::Texts),
            required("e", Kind::Text),
            required("f", Kind::Text),
            required("g", Kind::Text),
            required("h", Kind::Texts),
        ]
    );
    let given = |name: &str, kind, default: Option<&str>| (name.to_owned(), kind, false, default.map(str::to_owned));
    assert_eq!(
        shown("defaults"),
        [
            given("a", Kind::Integer, Some("5")),
            given("b", Kind::Float, Some("1.5")),
            given("c", Kind::Boolean, Some("True")),
            given("d", Kind::Texts, Some("[\"x\", \"é\"]")),
            given("e", Kind::Text, None),
            given("f", Kind::Text, Some("{}")),
            given("g", Kind::Texts, Some("[]")),
            given("h", Kind::Integer, Some("7")),
            given("i", Kind::Text, Some("t")),
            given("j", Kind::Text, Some("[]")),
        ]
    );
    let command = loaded.registry.find("defaults").unwrap();
    assert_eq!((&*command.description, command.hidden), ("d", true));
    assert_eq!(command.scopes, ["x:y", "z"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_may_be_texts_and_may_name_what_is_not_there() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            r#"
from __future__ import annotations
from agent_sandbox.server import command

@command()
def f(a: int, b: list[str], c: Missing, d: bool = False): pass
"#,
        )
        .await;
    let kinds: Vec<_> = loaded.registry.find("f").unwrap().arguments.iter().map(|argument| argument.kind).collect();
    assert_eq!(kinds, [Kind::Integer, Kind::Texts, Kind::Text, Kind::Boolean]);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_may_be_written_out_and_the_registry_used_by_hand() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            r#"
from agent_sandbox.server import CommandArg, CommandRegistry, command, default_registry

@command("deploy now/é", args=[CommandArg("target", "string", True, description="where"), CommandArg("n", type="integer", default="N/A")])
def deploy(target, n): return [target, n]

registry = default_registry()
registry.register("plain", lambda: "p", hidden=True, scopes=["a"])
assert "plain" in registry and len(registry) == 2 and registry.get("nope") is None
assert registry.get("plain").name == "plain" and deploy("x", 1) == ["x", 1]
assert [each.name for each in registry.list_all()] == ["deploy now/é", "plain"]
assert [each.name for each in registry.list_visible()] == ["deploy now/é"]
own = CommandRegistry()

@own.command()
def unseen(): pass
"#,
        )
        .await;
    assert_eq!(names(&loaded), ["deploy now/é", "plain"]);
    assert_eq!(loaded.registry.find("deploy now/é").unwrap().arguments[1].default.as_deref(), Some("N/A"));
    let called = call(&loaded, "deploy now/é", &[("target", text("t")), ("n", text("N/A"))]).await.unwrap();
    assert_eq!(called, serde_json::json!(["t", "N/A"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_come_in_their_order_and_later_ones_replace() {
    let rig = Rig::new();
    let one = rig
        .file("one.py", "from agent_sandbox.server import command\ncommand('a')(lambda: 1)\ncommand('x')(lambda: 1)\n");
    let two =
        rig.file("two.toml", "[[command]]\nname = 'x'\nrun = ['echo', '2']\n[[command]]\nname = 'b'\nrun = ['true']\n");
    let three = rig.file(
        "three.py",
        "from agent_sandbox.server import command\ncommand('c')(lambda: 3)\ncommand('b')(lambda: 3)\n",
    );
    let loaded = rig.load_all(&[&one, &two, &three]).await.unwrap();
    assert_eq!(names(&loaded), ["a", "x", "b", "c"]);
    assert_eq!(call(&loaded, "x", &[]).await.unwrap(), "2\n");
    assert_eq!(call(&loaded, "b", &[]).await.unwrap(), 3);
    assert_eq!(call(&loaded, "a", &[]).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_file_runs_once_whatever_it_is_called() {
    let rig = Rig::new();
    let count = "from agent_sandbox.server import command\nopen(COUNT, 'a').write('x')\ncommand('a')(lambda: 1)\n";
    let counter = rig.path("count");
    let file = rig.file("tool.py", &count.replace("COUNT", &format!("{:?}", counter.display().to_string())));
    std::os::unix::fs::symlink(&file, rig.path("link.py")).unwrap();
    std::fs::hard_link(&file, rig.path("hard.py")).unwrap();
    let link = rig.path("link.py").display().to_string();
    let other = rig.file("other.py", "import tool\n");
    let loaded = rig.load_all(&[&file, &link, "./hard.py", &other, "tool"]).await.unwrap();
    assert_eq!(names(&loaded), ["a"]);
    assert_eq!(std::fs::read_to_string(counter).unwrap(), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_files_directory_is_first_on_the_import_path_and_modules_are_looked_up_there() {
    let rig = Rig::new();
    rig.file("inner/beside.py", "VALUE = 'beside'\n");
    let file = rig.file(
        "inner/commands.py",
        "import beside\nfrom agent_sandbox.server import command\ncommand('a')(lambda: beside.VALUE)\n",
    );
    rig.file("inner/package/__init__.py", "");
    rig.file(
        "inner/package/tools.py",
        "from agent_sandbox.server import command\n@command()\ndef tool(): return __name__\n",
    );
    let loaded = rig.load_all(&[&file, "package.tools"]).await.unwrap();
    assert_eq!(call(&loaded, "a", &[]).await.unwrap(), "beside");
    assert_eq!(call(&loaded, "tool", &[]).await.unwrap(), "package.tools");
}

/// Nothing is imported from the working directory, where anybody may have put anything.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_planted_in_the_working_directory_runs() {
    let rig = Rig::new();
    for name in ["json", "base64", "agent_sandbox", "abxd_worker", "asyncio", "tools"] {
        rig.file(&format!("{name}.py"), "raise SystemExit(7)\n");
    }
    let file =
        rig.file("own/commands.py", "import json\nfrom agent_sandbox.server import command\ncommand('a')(lambda: 1)\n");
    assert_eq!(names(&rig.load_all(&[&file]).await.unwrap()), ["a"]);
    let refused = rig.load_all(&["tools"]).await.unwrap_err().to_string();
    assert_eq!(refused, "--commands tools: ModuleNotFoundError: No module named 'tools'");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clients_package_of_the_same_name_stays_what_it_is() {
    let rig = Rig::new();
    rig.file("lib/agent_sandbox/__init__.py", "CLIENT = 'client'\n");
    rig.file("lib/agent_sandbox/other.py", "OTHER = 'other'\n");
    rig.file("lib/agent_sandbox/server/__init__.py", "raise RuntimeError('the reference')\n");
    let file = rig.file(
        "lib/commands.py",
        "import sys\nsys.modules.pop('agent_sandbox')\nfrom agent_sandbox import CLIENT\nfrom agent_sandbox.other import OTHER\n\
         from agent_sandbox.server import command\ncommand('a')(lambda: [CLIENT, OTHER])\n",
    );
    let loaded = rig.load_all(&[&file]).await.unwrap();
    assert_eq!(call(&loaded, "a", &[]).await.unwrap(), serde_json::json!(["client", "other"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_are_switched_by_code() {
    let rig = Rig::new();
    let loaded = rig
        .python(
            "from agent_sandbox.server import CapabilityGroup, default_table\n\
             table = default_table()\ntable.enable_group(CapabilityGroup.BROWSER)\ntable.disable_group('process')\n",
        )
        .await;
    assert_eq!(loaded.switches, [("browser".to_owned(), true), ("process".to_owned(), false)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn start_returns_in_a_commands_file_and_what_comes_later_is_an_error() {
    let rig = Rig::new();
    let one = rig.file(
        "one.py",
        "from agent_sandbox.server import *\nown = CommandRegistry()\nown.register('own', lambda: 1)\n\
         command('a')(lambda: 1)\nstart(port=1, registry=own, policy={'preset': 'locked'})\n\
         SandboxServer(route_table=default_table()).serve(2)\n",
    );
    let two = rig.file("two.py", "from agent_sandbox.server import command\ncommand('b')(lambda: 1)\n");
    let three = rig.file(
        "three.py",
        "import sys\nfrom agent_sandbox.server import *\ncommand('c', args=[])(len)\nsys.exit(start())\n",
    );
    assert_eq!(names(&rig.load_all(&[&one, &two, &three]).await.unwrap()), ["a", "own", "b", "c"]);
    let late = "from agent_sandbox.server import *\nstart()\ncommand('late')(lambda: 1)\n";
    assert_eq!(
        rig.refusal("late.py", late).await,
        "--commands late.py: RuntimeError: command 'late' comes too late: the server has been started"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_registered_keeps_the_server_from_starting() {
    let rig = Rig::new();
    for (line, said) in [
        ("command('')(f)", "ValueError: a command needs a name, not ''"),
        ("command('a', args=[CommandArg('x', 'date')])(f)", "ValueError: argument 'x': 'date' is no type; there are: "),
        ("command('a', args=['x'])(f)", "TypeError: an argument is a CommandArg, not 'x'"),
        ("command('a', args=[CommandArg('x', default=5)])(f)", "TypeError: argument 'x': a default is a text or None"),
        (
            "command('a', args=[CommandArg('x', 'string_array', default='a,b')])(f)",
            "ValueError: argument 'x': a default of type string_array is the JSON text of a list of strings, not 'a,b'",
        ),
        ("command('a')(lambda x: 0)\n@command()\ndef g(x: list[str] = [1]): pass", "ValueError: argument 'x'"),
        ("default_registry().register('a', 5)", "TypeError: command 'a': 5 can't be called"),
        ("command('a', scopes=[5])(f)", "TypeError: command 'a': scopes are texts"),
        ("raise ValueError('one\\ntwo')", "ValueError: one"),
        ("f(", "SyntaxError: "),
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("CapabilityGroup('x')", "ValueError: 'x' is not a valid CapabilityGroup"),
    ] {
        let text = format!("from agent_sandbox.server import *\ndef f(): pass\n{line}\n");
        let refused = rig.refusal("bad.py", &text).await;
        assert!(refused.starts_with(&format!("--commands bad.py: {said}")), "{line}: {refused}");
        assert_eq!(refused.lines().count(), 1, "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_are_named_as_what_is_not_served() {
    let rig = Rig::new();
    let text = "from agent_sandbox.server import *\ntable = default_table()\n\
        @table.route('POST', '/custom/{x}', group=CapabilityGroup.CORE, auth_required=False)\ndef f(request): pass\n\
        table.register('GET', '/other', f, group=CapabilityGroup.CORE)\n";
    assert_eq!(
        rig.refusal("routes.py", text).await,
        "--commands routes.py: abxd serves no routes that code adds: POST /custom/{x}, GET /other"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exit_keeps_its_code() {
    let rig = Rig::new();
    for (line, code) in [("sys.exit(3)", 3), ("sys.exit()", 0), ("sys.exit('said')", 1), ("raise SystemExit(300)", 44)]
    {
        let file = rig.file("exit.py", &format!("import sys\n{line}\n"));
        let refused = rig.load_all(&[&file]).await.unwrap_err();
        assert!(matches!(refused, LoadError::Exit { .. }), "{refused}");
        assert_eq!(refused.exit_code(), code, "{line}");
    }
    for (line, said) in [
        ("os._exit(5)", "the Python worker ended with exit code 5"),
        ("os.kill(os.getpid(), 9)", "the Python worker was ended by signal 9"),
    ] {
        assert_eq!(
            rig.refusal("gone.py", &format!("import os\n{line}\n")).await,
            format!("--commands gone.py: {said}")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_and_interpreters_that_are_missing_are_named() {
    let rig = Rig::new();
    let missing = rig.load_all(&["nope.py"]).await.unwrap_err().to_string();
    assert_eq!(missing, "--commands nope.py: No such file or directory (os error 2)");
    let file = rig.file("a.py", "");
    let order = abxd_commands::Order {
        sources: vec![abxd_commands::Source::of(&file, rig.folder.path())],
        interpreter: Some("python-of-nobody".to_owned()),
    };
    let refused = abxd_commands::load(&order, &rig.host).await.unwrap_err().to_string();
    assert_eq!(
        refused.replace(&file, "a.py"),
        "--commands a.py: Python commands need the interpreter `python-of-nobody`: no such program"
    );
}
