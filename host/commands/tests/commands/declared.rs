//! Commands that files declare: programs.

use abxd_commands::{Kind, Value};
use serde_json::json;

use crate::rig::{Rig, call, failed, names, text};

const TOML: &str = r#"
[[command]]
name = "say"
description = "Say it."
run = ["printf", "%s|", "{what}", "n={count}", ["--flag", "{flag}"], "{more}"]
scopes = ["say:it"]
hidden = true

[[command.args]]
name = "what"
required = true
description = "what"

[[command.args]]
name = "count"
type = "integer"
default = "1"

[[command.args]]
name = "flag"
type = "boolean"

[[command.args]]
name = "more"
type = "string_array"

[[command]]
name = "count"
run = ["sh", "-c", "echo ' {{\"a\": [1]}} '"]
result = "json"

[[command]]
name = "no json"
run = ["echo", "{{}}{{}}"]
result = "json"

[[command]]
name = "fail"
run = ["sh", "-c", "echo out; echo 'it is broken' >&2; exit 3"]

[[command]]
name = "fail silently"
run = ["false"]

[[command]]
name = "die"
run = ["sh", "-c", "kill -15 $$"]

[[command]]
name = "sleep"
run = ["sh", "-c", "sleep 60"]
timeout = 0.2

[[command]]
name = "bytes"
run = ["printf", "a\\377b\\n"]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn programs_are_run_with_their_words() {
    let rig = Rig::new();
    let file = rig.file("commands.toml", TOML);
    let loaded = rig.load_all(&[&file]).await.unwrap();
    assert_eq!(names(&loaded), ["say", "count", "no json", "fail", "fail silently", "die", "sleep", "bytes"]);
    let say = loaded.registry.find("say").unwrap();
    assert_eq!((&*say.description, say.hidden, &*say.scopes), ("Say it.", true, &["say:it".to_owned()][..]));
    let kinds: Vec<_> = say.arguments.iter().map(|argument| argument.kind).collect();
    assert_eq!(kinds, [Kind::Text, Kind::Integer, Kind::Boolean, Kind::Texts]);

    let odd = "a b; $(id) 'x'";
    let values = [("what", text(odd)), ("count", Value::Integer("7".to_owned()))];
    assert_eq!(call(&loaded, "say", &values).await.unwrap(), format!("{odd}|n=7|"));
    let values = [
        ("what", text("")),
        ("flag", Value::Boolean(true)),
        ("more", Value::Texts(vec!["x".to_owned(), "y z".to_owned()])),
    ];
    assert_eq!(call(&loaded, "say", &values).await.unwrap(), "|--flag|true|x|y z|");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_they_write_is_the_result_and_their_failure_is_an_error() {
    let rig = Rig::new();
    let file = rig.file("commands.toml", TOML);
    let loaded = rig.load_all(&[&file]).await.unwrap();
    assert_eq!(call(&loaded, "count", &[]).await.unwrap(), json!({"a": [1]}));
    assert_eq!(call(&loaded, "bytes", &[]).await.unwrap(), "a\u{fffd}b\n");
    for (name, class, text) in [
        ("no json", "CommandError", "the command did not write one JSON value"),
        ("fail", "CommandError", "it is broken"),
        ("fail silently", "CommandError", "the command ended with exit code 1"),
        ("die", "CommandError", "the command was ended by signal 15"),
        ("sleep", "TimeoutError", "the command took longer than 0.2 s"),
    ] {
        assert_eq!(failed(&loaded, name).await, (class.to_owned(), text.to_owned()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_gone_later_is_the_calls_error() {
    let rig = Rig::new();
    let program = rig.file("tool", "#!/bin/sh\necho run\n");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let file = rig.file("commands.json", &json!({"command": [{"name": "a", "run": ["./tool"]}]}).to_string());
    let loaded = rig.load_all(&[&file]).await.unwrap();
    assert_eq!(call(&loaded, "a", &[]).await.unwrap(), "run\n");
    std::fs::remove_file(&program).unwrap();
    assert_eq!(failed(&loaded, "a").await.0, "FileNotFoundError");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_ends_the_program() {
    let rig = Rig::new();
    let pid = rig.path("pid");
    let script = format!("echo $$ > {0}.new; mv {0}.new {0}; sleep 60", pid.display());
    let file = rig.file("commands.json", &json!({"command": [{"name": "a", "run": ["sh", "-c", script]}]}).to_string());
    let loaded = rig.load_all(&[&file]).await.unwrap();
    let running = async {
        while !pid.exists() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        answer = call(&loaded, "a", &[]) => panic!("{answer:?}"),
        () = running => {}
    }
    let process = format!("/proc/{}", std::fs::read_to_string(&pid).unwrap().trim());
    let end = std::time::Instant::now() + crate::rig::PATIENCE;
    while std::fs::exists(&process).unwrap() {
        assert!(std::time::Instant::now() < end);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_declared_is_named() {
    let rig = Rig::new();
    for (toml, said) in [
        ("[[command]]\nname = 'a'\n", "line 1: missing field `run`"),
        ("\n\n[[command]]\nrun = ['true']\nnam = 'a'\n", "line 5: unknown field `nam`"),
        ("x", "line 1: "),
        ("[[command]]\nrun = ['true']\n", "command 1 has no name"),
        ("[[command]]\nname = 'a'\nrun = []\n", "command `a`: run: expected the program and its words"),
        ("[[command]]\nname = 'a'\nrun = ['true', '{x}']\n", "command `a`: run: `{x}`: there is no argument `x`"),
        (
            "[[command]]\nname = 'a'\nrun = ['true']\ntimeout = 0\n",
            "command `a`: timeout: expected a number of seconds above 0",
        ),
        ("[[command]]\nname = 'a'\nrun = ['true']\ntimeout = -1.5\n", "command `a`: timeout: "),
        (
            "[[command]]\nname = 'a'\nrun = ['true']\n[[command.args]]\nname = ''\n",
            "command `a`: an argument has no name",
        ),
        (
            "[[command]]\nname = 'a'\nrun = ['true']\n[[command.args]]\nname = 'x'\ntype = 'string_array'\ndefault = 'a'\n",
            "command `a`: argument `x`: the default of a string_array is the JSON text of a list of strings",
        ),
        (
            "[[command]]\nname = 'a'\nrun = ['true']\n[[command.args]]\nname = 'x'\ntype = 'date'\n",
            "line 6: unknown variant `date`",
        ),
        (
            "[[command]]\nname = 'a'\nrun = ['no-such-program']\n",
            "command `a`: the program `no-such-program`: no such program",
        ),
        (
            "[[command]]\nname = 'a'\nrun = ['/proc/self/exe']\n",
            "command `a`: the program `/proc/self/exe`: no program may be started from /proc",
        ),
    ] {
        let refused = rig.refusal("bad.toml", toml).await;
        assert!(refused.starts_with(&format!("--commands bad.toml: {said}")), "{toml}: {refused}");
        assert_eq!(refused.lines().count(), 1, "{refused}");
    }
    let refused = rig.refusal("bad.json", "{\n\"command\": [{\"name\": 1}]}").await;
    assert!(refused.starts_with("--commands bad.json: line 2: invalid type"), "{refused}");
}
