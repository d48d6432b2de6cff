//! Scripts that start the server themselves, as existing images have them (contract: commands §5).

use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::kit::is_alive;
use crate::harness::{Connection, Outcome, Request, Setup, abxd, free_port, wait};

/// A script that an interpreter runs. Dropping it kills what it has become.
struct Script {
    child: Child,
    port: u16,
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(setup: &Setup, text: &str, arguments: &[&str]) -> Command {
    let file = setup.keep("start.py", text);
    let mut command = Command::new("python3");
    command.arg("-B").arg(file).args(arguments).current_dir(setup.base()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("ABXD", abxd());
    let path = Outcome::of(Command::new(abxd()).arg("python-path"));
    assert_eq!(path.code, Some(0), "{path:?}");
    command.env("PYTHONPATH", path.stdout.trim_end()).env("ABX_SERVER_BASE_DIR", setup.base());
    command
}

impl Script {
    fn start(setup: &Setup, text: &str, arguments: &[&str]) -> Self {
        let port = free_port();
        let text = text.replace("PTY_PORT", &free_port().to_string()).replace("PORT", &port.to_string());
        let mut command = command(setup, &text, arguments);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut script = Self { child, port };
        wait::until("the server answers", || {
            assert!(script.child.try_wait().unwrap().is_none(), "the script ended");
            let mut connection = Connection::try_open(port).ok()?;
            (connection.call(&Request::new("GET", "/health")).status == 200).then_some(())
        });
        script
    }

    fn result(&self, name: &str) -> Value {
        let request = Request::new("POST", &format!("/commands/{name}")).json(&json!({}));
        Connection::open(self.port).call(&request).ok()["result"].clone()
    }
}

#[test]
fn a_script_becomes_the_server() {
    let setup = Setup::new();
    setup.keep("beside.py", "VALUE = 'beside'\n");
    let mut script = Script::start(
        &setup,
        "import os, sys\nimport beside\nfrom agent_sandbox.server import command, start\n\
         @command('hello')\ndef hello(): return [beside.VALUE, __name__, sys.argv[1:], os.getpid()]\n\
         if __name__ == '__main__':\n    start(port=PORT, host='127.0.0.1', policy={'groups': {'terminal': False}})\n    raise SystemExit(9)\n",
        &["--verbose", "x y"],
    );
    let result = script.result("hello");
    assert_eq!(
        (&result[0], &result[1], &result[2]),
        (&json!("beside"), &json!("__main__"), &json!(["--verbose", "x y"]))
    );
    let worker = result[3].as_u64().unwrap();
    let capabilities = Connection::open(script.port).call(&Request::new("GET", "/capabilities")).ok();
    assert_eq!(capabilities["groups"]["terminal"], false);
    assert_eq!(capabilities["endpoints"]["pty_connect"]["rule"], "policy:groups.terminal");
    // It is the script's own process: signals reach the server, and its exit code is the script's.
    kill_process(Pid::from_raw(i32::try_from(script.child.id()).unwrap()).unwrap(), Signal::TERM).unwrap();
    assert_eq!(script.child.wait().unwrap().code(), Some(0));
    assert!(!is_alive(worker));
}

#[test]
fn the_long_form_takes_a_registry_a_table_and_a_policy_of_its_own() {
    let setup = Setup::new();
    let script = Script::start(
        &setup,
        "from agent_sandbox.server import *\nregistry = CommandRegistry()\nregistry.register('own', lambda: 'own')\n\
         table = RouteTable()\ntable.enable_group(CapabilityGroup.BROWSER)\n\
         policy = ServerPolicy.from_json('{\"endpoints\": {\"shell\": {\"enabled\": false}}}')\n\
         SandboxServer('127.0.0.1', registry, table, PTY_PORT, policy).serve(PORT)\n",
        &[],
    );
    assert_eq!(script.result("own"), "own");
    let capabilities = Connection::open(script.port).call(&Request::new("GET", "/capabilities")).ok();
    assert_eq!(capabilities["groups"]["browser"], true);
    assert_eq!(capabilities["endpoints"]["shell"]["rule"], "policy:endpoints.shell");
}

#[test]
fn policies_come_from_files_and_presets_too() {
    let setup = Setup::new();
    let file = setup.keep("policy.json", json!({"groups": {"system": false}}).to_string());
    for (policy, endpoint, rule) in [
        (format!("ServerPolicy.from_file({:?})", file.display().to_string()), "ports", "policy:groups.system"),
        ("ServerPolicy.preset('locked', description='x')".to_owned(), "ports", "preset:locked"),
        ("ServerPolicy.from_dict({'preset': 'read-only'})".to_owned(), "files_delete", "preset:read-only"),
    ] {
        let text = format!("from agent_sandbox.server import *\nstart(PORT, '127.0.0.1', policy={policy})\n");
        let script = Script::start(&setup, &text, &[]);
        let capabilities = Connection::open(script.port).call(&Request::new("GET", "/capabilities")).ok();
        assert_eq!(capabilities["endpoints"][endpoint]["rule"], rule, "{policy}");
    }
}

#[test]
fn a_script_that_finds_no_server_says_so() {
    let setup = Setup::new();
    let mut command = command(&setup, "from agent_sandbox.server import start\nstart()\n", &[]);
    // Python is called by its path, so that nothing else has to be found.
    let python = Outcome::of(Command::new("python3").args(["-c", "import sys; print(sys.executable)"])).stdout;
    let mut alone = Command::new(python.trim_end());
    alone.args(command.get_args()).env_clear().env("PATH", "/nowhere");
    alone.envs(command.get_envs().filter_map(|(name, value)| (name == "PYTHONPATH").then_some((name, value?))));
    let outcome = Outcome::of(&mut alone);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("RuntimeError: abxd is not on the PATH"), "{outcome:?}");
    // And the policy that is none is refused before anything is started.
    command.env("ABXD", "/nowhere/abxd");
    let outcome = Outcome::of(&mut command);
    assert!(outcome.stderr.contains("FileNotFoundError"), "{outcome:?}");
}
