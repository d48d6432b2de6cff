//! Opening, sizing and seeing sessions.

use serde_json::json;

use super::Terminal;
use crate::harness::processes::{command_line, look};
use crate::harness::{Setup, TOKEN, is_root};

/// Shells that every machine of the tests has.
pub(super) const SHELLS: [&str; 3] = ["/bin/bash", "/bin/sh", "/usr/bin/bash"];

#[test]
fn a_shell_leads_a_session_that_its_terminal_controls() {
    let server = Setup::new().start();
    for shell in SHELLS {
        let terminal = Terminal::open_with(&server, &json!({"shell": shell, "cols": 91, "rows": 17}));
        let mut client = terminal.attach(&server);
        client.begins();
        let process = look(terminal.pid).unwrap();
        assert_eq!((process.parent, process.group, process.session), (server.pid(), terminal.pid, terminal.pid));
        assert_eq!(command_line(terminal.pid), [shell]);
        // The terminal that controls it, its size, where it is, and nothing open but the terminal.
        assert_eq!(client.runs("ps -o tty= -p $$"), client.runs("tty | cut -c6-"), "{shell}");
        assert_eq!(client.runs("stty size"), "17 91\r\n", "{shell}");
        assert_eq!(client.runs("pwd"), format!("{}\r\n", server.base().display()), "{shell}");
        let open = std::fs::read_dir(format!("/proc/{}/fd", terminal.pid)).unwrap();
        for descriptor in open {
            let target = std::fs::read_link(descriptor.unwrap().path()).unwrap();
            let is_terminal = target.starts_with("/dev/pts") || target.ends_with("tty");
            assert!(is_terminal, "{shell} has {}", target.display());
        }
    }
}

#[test]
fn the_address_has_the_port_that_is_in_use() {
    let server = Setup::new().start();
    let answer = server.post("/pty/sessions", &json!({})).ok();
    let terminal = Terminal::of(&answer);
    let url = format!("ws://localhost:{}/pty?session_id={}", server.pty_port, terminal.id);
    assert_eq!(answer, json!({"session_id": terminal.id, "ws_url": url, "pid": terminal.pid}));
}

#[test]
fn sizes_reach_the_program_by_every_way() {
    let server = Setup::new().start();
    let terminal = Terminal::open_with(&server, &json!({"cols": 80.9, "rows": " 24 "}));
    let mut client = terminal.attach(&server);
    client.begins();
    assert_eq!(client.runs("stty size"), "24 80\r\n");
    client.runs("trap 'echo re''sized' WINCH");
    let resize = |cols, rows| server.post(&format!("{}/resize", terminal.path()), &json!({"cols": cols, "rows": rows}));
    let detail = resize(132, 43).ok();
    assert_eq!((&detail["cols"], &detail["rows"], &detail["alive"]), (&json!(132), &json!(43), &json!(true)));
    client.types("\n");
    client.sees("resized");
    assert_eq!(client.runs("stty size"), "43 132\r\n");
    // A size that is refused changes nothing.
    for (cols, rows) in [(0, 24), (1001, 24), (80, 0), (80, 1001)] {
        assert_eq!(resize(cols, rows).failed(400)["type"], "ValueError");
    }
    assert_eq!(client.runs("stty size"), "43 132\r\n");
    // The socket has no such limit, and takes one side alone.
    client.resizes(2000, 1500);
    assert_eq!(client.runs("stty size"), "1500 2000\r\n");
    client.socket.say(&json!({"type": "resize", "rows": "20"}));
    assert_eq!(client.runs("stty size"), "20 2000\r\n");
    let detail = terminal.detail(&server);
    assert_eq!((&detail["cols"], &detail["rows"]), (&json!(2000), &json!(20)));
}

#[test]
fn shells_get_the_servers_variables_without_its_secrets() {
    let setup = Setup::new().with_token().env("FROM_SERVER", "yes").env("TERM", "dumb");
    let server = setup.policy(&json!({"defaults": {}})).start();
    server.post("/env", &json!({"vars": {"FROM_CALLS": "also"}})).ok();
    let env = json!({"MINE": "a b", "LD_PRELOAD": "/nowhere.so", "LD_LIBRARY_PATH": "/nowhere"});
    let terminal = Terminal::open_with(&server, &json!({"env": env}));
    let mut client = terminal.attach(&server);
    client.begins();
    assert_eq!(client.runs("echo \"$FROM_SERVER $FROM_CALLS $MINE $TERM\""), "yes also a b xterm-256color\r\n");
    assert_eq!(client.runs("env | grep -c ^LD_"), "0\r\n");
    let seen = client.runs("env") + &client.runs("cat /proc/$$/environ | tr '\\0' '\\n'");
    assert!(!seen.contains(TOKEN) && !seen.contains("ABX_SERVER_TOKEN") && !seen.contains("ABX_SERVER_POLICY="));
    let terminal = Terminal::open_with(&server, &json!({"env": {"TERM": "vt100"}}));
    let mut client = terminal.attach(&server);
    client.begins();
    assert_eq!(client.runs("echo $TERM"), "vt100\r\n");
}

/// The first bad entry decides, whatever else is wrong with the others.
#[test]
fn variables_are_judged_in_the_callers_order() {
    let server = Setup::new().with_token().start();
    let create = |env: &str| {
        let body = format!(r#"{{"env":{env}}}"#);
        server.call(&server.request("POST", "/pty/sessions").body(body))
    };
    create(r#"{"1A":"x","ABX_X":"y"}"#).refused(400, "env_invalid");
    create(r#"{"abx_x":"y","1A":"x"}"#).refused(403, "env_var_denied");
    create(r#"{"A":1}"#).refused(400, "env_invalid");
    create(r#"{"A":"\u0000"}"#).refused(400, "env_invalid");
    create(r#"["A"]"#).refused(400, "env_invalid");
    assert_eq!(server.call(&server.request("GET", "/pty/sessions")).ok(), json!({"sessions": []}));
}

#[test]
fn rules_narrow_shells_and_variables() {
    let params = json!({"shells": ["/bin/sh"], "env_deny": ["FOO", "B*"]});
    let server = Setup::new().policy(&json!({"endpoints": {"pty_create_session": {"params": params}}})).start();
    let create = |body| server.post("/pty/sessions", &body);
    // The default shell is judged too.
    create(json!({})).refused(403, "shell_not_allowed");
    create(json!({"shell": "/bin/bash", "env": {"FOO": "1"}})).refused(403, "shell_not_allowed");
    create(json!({"shell": "/bin/sh", "env": {"FOO": "1"}})).refused(403, "env_var_not_allowed");
    create(json!({"shell": "/bin/sh", "env": {"BAR": "1"}})).ok();
    assert_eq!(create(json!({"shell": "/bin/dash"})).failed(400)["type"], "ValueError");
}

/// A shell that the machine lacks, and bodies that are no objects.
#[test]
fn what_cannot_be_opened_leaves_nothing() {
    let server = Setup::new().start();
    if !std::path::Path::new("/bin/zsh").exists() {
        let failed = server.post("/pty/sessions", &json!({"shell": "/bin/zsh"})).failed(500);
        assert_eq!((&failed["type"], &failed["code"]), (&json!("OSError"), &json!(null)));
    }
    for body in ["[]", "\"\"", "0", "false", "null"] {
        let failed = server.call(&server.request("POST", "/pty/sessions").body(body)).failed(400);
        assert_eq!(failed["type"], "ValueError", "{body}");
    }
    for (cols, rows) in [(json!(99_999), json!(24)), (json!(80), json!(-1)), (json!(null), json!(1))] {
        let failed = server.post("/pty/sessions", &json!({"cols": cols, "rows": rows})).failed(400);
        assert_eq!((&failed["type"], &failed["code"]), (&json!("ValueError"), &json!(null)));
    }
    assert_eq!(server.call(&server.request("GET", "/pty/sessions")).ok(), json!({"sessions": []}));
    // An empty body is one without wishes.
    server.call(&server.request("POST", "/pty/sessions")).ok();
}

#[test]
fn sessions_are_listed_in_the_order_of_their_creation() {
    let server = Setup::new().start();
    let opened: Vec<_> = (0..3).map(|_| Terminal::open(&server)).collect();
    let listed = server.call(&server.request("GET", "/pty/sessions/")).ok();
    let details: Vec<_> = opened.iter().map(|terminal| terminal.detail(&server)).collect();
    assert_eq!(listed, json!({ "sessions": details }));
    let names: Vec<_> = details[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["alive", "cols", "created_at", "id", "pid", "rows"]);
}

/// The server's own priority among those that may be ended for want of memory is not the shell's.
#[test]
fn a_shell_goes_before_the_server_when_memory_is_short() {
    let server = Setup::new().start();
    let terminal = Terminal::open(&server);
    let score = |pid: u32| -> i32 {
        std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap().trim().parse().unwrap()
    };
    assert!(is_root() || score(server.pid()) <= score(terminal.pid));
    crate::harness::wait::until_true("the shell's is higher", || score(terminal.pid) > score(server.pid()));
}
