//! What package managers know (contract: system; decision D45).

use std::fs;

use serde_json::json;

use super::facts::{executable, get};
use crate::harness::Setup;

#[test]
fn a_manager_is_pip_or_npm() {
    let server = Setup::new().start();
    for name in ["gem", "PIP", "cargo", "pip%20"] {
        let problem = server.call(&server.request("GET", &format!("/packages?manager={name}")));
        assert_eq!(problem.failed_as(400, "ValueError").get("code"), None, "{name}");
    }
    let pip = get(&server, "/packages?manager=");
    assert_eq!(pip["manager"], "pip");
    assert!(pip["packages"].as_array().unwrap().iter().any(|package| package["name"] == "pip"), "{pip}");
}

#[test]
fn npm_is_asked_about_the_servers_directory() {
    let setup = Setup::new();
    let project = setup.base();
    for (name, version) in [("foo", "1.2.3"), ("extr", "0.1.0")] {
        let folder = project.join("node_modules").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("package.json"), json!({"name": name, "version": version}).to_string()).unwrap();
    }
    let package = json!({"name": "t", "dependencies": {"foo": "^1.0.0", "bar": "1"}});
    fs::write(project.join("package.json"), package.to_string()).unwrap();
    let server = setup.start();
    let expected = json!({"manager": "npm", "packages": [
        {"name": "bar", "version": ""}, {"name": "extr", "version": "0.1.0"}, {"name": "foo", "version": "1.2.3"},
    ]});
    assert_eq!(get(&server, "/packages?manager=npm"), expected);
}

/// D45: neither modules in reach of the server's directory nor variables that a caller has set are run with what is asked.
#[test]
fn nothing_that_is_planted_runs() {
    let setup = Setup::new();
    let (base, mark) = (setup.base(), setup.place("mark"));
    let evil = format!("open({:?}, 'w').write(__name__)\n", mark.display().to_string());
    for name in ["pip.py", "json.py", "sitecustomize.py", "platform.py"] {
        fs::write(base.join(name), &evil).unwrap();
    }
    let required = base.join("evil.js");
    fs::write(&required, format!("require('fs').writeFileSync({:?}, 'x')", mark.display().to_string())).unwrap();
    fs::write(base.join(".npmrc"), format!("node-options=--require {}\n", required.display())).unwrap();
    let program = base.join("program");
    executable(&program, &format!("#!/bin/sh\necho x > {}\n", mark.display()));
    let server = setup.start();
    let variables = json!({"vars": {
        "PYTHONPATH": base, "PYTHONSTARTUP": base.join("pip.py"), "PIP_PYTHON": program,
        "NODE_OPTIONS": format!("--require {}", required.display()), "BASH_ENV": program, "ENV": program,
        "npm_config_node_options": format!("--require {}", required.display()),
    }});
    server.post("/env", &variables).ok();
    for target in ["/packages", "/packages?manager=npm", "/system/info"] {
        get(&server, target);
        assert!(!mark.exists(), "{target}: {:?}", fs::read_to_string(&mark));
    }
    assert!(get(&server, "/packages")["packages"].as_array().unwrap().iter().any(|found| found["name"] == "pip"));
}

#[test]
fn what_cannot_be_read_is_no_packages() {
    let setup = Setup::new();
    let bin = setup.place("bin");
    fs::create_dir(&bin).unwrap();
    executable(&bin.join("python3"), "#!/bin/sh\necho '[{\"name\": \"half'\nexit 1\n");
    executable(&bin.join("npm"), "#!/bin/sh\necho '{\"dependencies\": {\"a\": {\"version\": \"1\"}}}'\nexit 1\n");
    let server = setup.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).start();
    assert_eq!(get(&server, "/packages"), json!({"manager": "pip", "packages": []}));
    let expected = json!({"manager": "npm", "packages": [{"name": "a", "version": "1"}]});
    assert_eq!(get(&server, "/packages?manager=npm"), expected, "the status is not looked at");
}
