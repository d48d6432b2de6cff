//! What a request says is to run, and the order in which it is judged (contract: process §1).

use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup};

/// The three endpoints that take a command.
const ENDPOINTS: [&str; 3] = ["/shell", "/shell/stream", "/process/start"];

/// An argument by argument account of what a command became.
fn words(server: &Server, command: &str) -> Vec<String> {
    let text = server.shell(&format!("printf '<%s>\\n' {command}")).ok()["stdout"].as_str().unwrap().to_owned();
    let word = |line: &str| line.strip_prefix('<').unwrap().strip_suffix('>').unwrap().to_owned();
    text.lines().map(word).collect()
}

fn refused(answer: &Answer) -> (u16, Value, Value) {
    let body = answer.failed(answer.status);
    (answer.status, body["type"].clone(), body["code"].clone())
}

/// No shell looks at it: everything but quotes, backslashes and blanks is text.
#[test]
fn words_reach_the_program_as_they_are() {
    let server = Setup::new().start();
    for (command, expected) in [
        ("a\tb\r\nc", &["a", "b", "c"][..]),
        ("$HOME *.c ~ a;b | c > d & # e", &["$HOME", "*.c", "~", "a;b", "|", "c", ">", "d", "&", "#", "e"]),
        (r#"'a b' "c d" e\ f"#, &["a b", "c d", "e f"]),
        (r#"a""b '' "" c"#, &["ab", "", "", "c"]),
        (r#""\a\"\\" '\a'"#, &[r#"\a"\"#, r"\a"]),
        ("\u{e9}\u{1f923} a\u{a0}b", &["\u{e9}\u{1f923}", "a\u{a0}b"]),
    ] {
        assert_eq!(words(&server, command), expected, "{command}");
    }
}

#[test]
fn a_command_that_is_none_is_refused_alike_everywhere() {
    let server = Setup::new().start();
    for endpoint in ENDPOINTS {
        for (command, code) in [
            (json!(null), json!(null)),
            (json!(5), json!(null)),
            (json!(["true"]), json!(null)),
            (json!("echo 'a"), json!(null)),
            (json!("echo a\\"), json!(null)),
            (json!(""), json!("process_invalid")),
            (json!(" \t\r\n"), json!("process_invalid")),
            (json!("'' a"), json!("process_invalid")),
            (json!("tr\u{0}ue"), json!("process_invalid")),
            (json!("true a\u{0}b"), json!("command_invalid")),
            (json!(format!("true {}", "a ".repeat(256))), json!("command_invalid")),
            (json!(format!("true {}", "a".repeat(4097))), json!("command_invalid")),
        ] {
            let answer = server.post(endpoint, &json!({ "command": command }));
            assert_eq!(refused(&answer), (400, json!("ValueError"), code), "{endpoint} {command}");
        }
        let answer = server.post(endpoint, &json!({"argv": ["true"]}));
        assert_eq!(refused(&answer), (400, json!("ValueError"), json!(null)), "{endpoint}");
    }
    // What is just within the bounds.
    server.shell(&format!("true {}", "a ".repeat(255))).ok();
    server.shell(&format!("true {}", "\u{e9}".repeat(4096))).ok();
}

/// Each row is wrong in everything that comes later, too.
#[test]
fn checks_come_in_the_contracts_order() {
    let policy = json!({"defaults": {"params": {"deny_commands": ["false"]}}});
    let server = Setup::new().with_token().policy(&policy).start();
    let (outside, protected) = (json!("/etc"), json!({"ABX_SERVER_TOKEN": "x"}));
    let long = format!("false {}", "a".repeat(4097));
    for endpoint in ENDPOINTS {
        for (command, cwd, env, status, code) in [
            ("false '", json!(5), json!(5), 400, json!(null)),
            (" ", json!(5), json!(5), 400, json!("process_invalid")),
            ("'' ", json!(5), json!(5), 400, json!(null)),
            ("'' ", outside.clone(), json!(5), 400, json!("env_invalid")),
            ("'' ", outside.clone(), json!({"1": "x"}), 400, json!("process_invalid")),
            ("/proc/self/exe", outside.clone(), json!({"1": "x"}), 403, json!("process_denied")),
            (&long, outside.clone(), json!({"1": "x"}), 400, json!("env_invalid")),
            (&long, outside.clone(), protected.clone(), 403, json!("env_var_denied")),
            (&long, outside.clone(), json!({}), 400, json!("command_invalid")),
            ("false", outside.clone(), json!({}), 403, json!("command_not_allowed")),
            ("nosuchcmd", outside.clone(), json!({}), 403, json!("path_not_allowed")),
            ("nosuchcmd", json!("nope"), json!({}), 400, json!(null)),
        ] {
            let answer = server.post(endpoint, &json!({"command": command, "cwd": cwd, "env": env}));
            let (found, _, found_code) = refused(&answer);
            assert_eq!((found, found_code), (status, code), "{endpoint} {command} {cwd} {env}");
        }
    }
}

/// A variable that holds a token stands after the directory's rule, and before a look at the directory.
#[test]
fn secret_names_have_their_place_in_the_order() {
    let policy = json!({"auth": {"tokens": [{"id": "all", "token_env": "MY_SECRET", "scopes": ["*"]}]}});
    let server = Setup::new().policy(&policy).env("MY_SECRET", "secret-value").start();
    for (cwd, code) in [("/etc", "path_not_allowed"), ("nope", "env_var_not_allowed")] {
        let body = json!({"command": "true", "cwd": cwd, "env": {"MY_SECRET": "x"}});
        server.call(&server.request("POST", "/shell").bearer("secret-value").json(&body)).refused(403, code);
    }
}

#[test]
fn the_directory_is_judged_and_has_to_be_there() {
    let server = Setup::new().start();
    let base = server.base();
    std::fs::create_dir(base.join("d")).unwrap();
    std::fs::write(base.join("f"), "").unwrap();
    std::os::unix::fs::symlink("d", base.join("in")).unwrap();
    std::os::unix::fs::symlink("/etc", base.join("out")).unwrap();
    for endpoint in ENDPOINTS {
        let of = |cwd: Value| server.post(endpoint, &json!({"command": "true", "cwd": cwd}));
        for cwd in [json!("nope"), json!("f"), json!("f/d")] {
            assert_eq!(refused(&of(cwd.clone())), (400, json!("ValueError"), json!(null)), "{endpoint} {cwd}");
        }
        for cwd in [json!("/etc"), json!("out"), json!("../outside"), json!("/nope")] {
            of(cwd).refused(403, "path_not_allowed");
        }
        for cwd in [json!("a\u{0}b"), json!("a".repeat(4097))] {
            of(cwd).refused(400, "invalid_path");
        }
        for cwd in [json!(5), json!([]), json!({}), json!(true)] {
            assert_eq!(refused(&of(cwd)), (400, json!("ValueError"), json!(null)), "{endpoint}");
        }
    }
    let at = |body: Value| server.post("/shell", &body).ok()["stdout"].as_str().unwrap().trim_end().to_owned();
    for (cwd, place) in [("d", "d"), ("in", "d"), ("./d/../d/", "d"), ("", "")] {
        let place = base.join(place);
        assert_eq!(
            at(json!({"command": "pwd -P", "cwd": cwd})),
            place.to_str().unwrap().trim_end_matches('/'),
            "{cwd}"
        );
    }
    assert_eq!(at(json!({"command": "pwd", "cwd": null})), base.to_str().unwrap());
    // A name that no text can hold.
    let odd = std::os::unix::ffi::OsStrExt::from_bytes(b"odd\xff");
    std::fs::create_dir(base.join::<&std::ffi::OsStr>(odd)).unwrap();
    let body = json!({"command": "stat .", "cwd_b64": "b2Rk/w=="});
    assert_eq!(server.post("/shell", &body).ok()["exit_code"], 0);
}

/// A directory that may not be entered is told when the program starts (contract: process §1.5).
#[test]
fn a_directory_that_cannot_be_entered_is_a_failed_start() {
    let server = Setup::new().with_nobody().start();
    let locked = server.base().join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    let body = json!({"command": "true", "cwd": locked.to_str()});
    server.post("/shell", &body).failed_as(500, "PermissionError");
    server.post("/process/start", &body).failed_as(500, "PermissionError");
}
