//! Programs that are asked, and what they are asked with (`contract: system`, decision D45).
//!
//! A program of its own: a supervisor reaps every child that is not its own, also those that other tests wait for.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage has failed"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use abxd_capabilities::process::{Environment, Settings, StartFailure, Supervisor};
use abxd_capabilities::system::{LookupFailure, PackageManager, Python, packages};
use abxd_guards::process::{CheckedProgram, ProcessGuard, ProgramFailure};

struct Rig {
    supervisor: Supervisor,
    guard: ProcessGuard,
    top: PathBuf,
    _folder: tempfile::TempDir,
}

impl Rig {
    /// A server that finds its programs in `bin`, and then where everybody does.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        fs::create_dir(top.join("bin")).unwrap();
        let search = format!("{}:{}", top.join("bin").display(), std::env::var("PATH").unwrap());
        let environment: Environment = [
            ("PATH".into(), search.clone().into()),
            ("HOME".into(), top.clone().into()),
            ("PYTHONPATH".into(), top.clone().into()),
            ("LD_PRELOAD".into(), "/nonexistent.so".into()),
            ("NODE_OPTIONS".into(), "--require=/nonexistent.js".into()),
            ("PIP_PYTHON".into(), "/nonexistent".into()),
        ]
        .into_iter()
        .collect();
        let supervisor = Supervisor::start(environment, Settings::new(top.clone())).unwrap();
        // Its end would be that of all children, also those of tests that run beside this one.
        std::mem::forget(supervisor.clone());
        Self { supervisor, guard: ProcessGuard::new(search.as_ref(), &top), top, _folder: folder }
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.top.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn found(&self, word: &str) -> CheckedProgram {
        self.guard.check(&[word.to_owned()], &self.top).unwrap()
    }

    async fn packages(&self, manager: PackageManager) -> Result<Option<String>, LookupFailure> {
        let said = packages(&self.supervisor, manager, self.found(manager.program()), &self.top).await?;
        Ok(said.map(|said| String::from_utf8(said).unwrap()))
    }
}

#[tokio::test]
async fn programs_are_asked_in_the_root_with_nothing_that_a_caller_could_have_set() {
    let rig = Rig::new();
    let script = "echo $(pwd): $*; env | sort; exit 3";
    rig.program("python3", script);
    rig.program("npm", script);
    let pip = rig.packages(PackageManager::Pip).await.unwrap().unwrap();
    let (first, rest) = pip.split_once('\n').unwrap();
    assert_eq!(first, "/: -I -m pip --disable-pip-version-check list --format json");
    let names: Vec<_> = rest.lines().map(|line| line.split('=').next().unwrap()).collect();
    assert_eq!(names, ["HOME", "LC_ALL", "PATH", "PIP_CONFIG_FILE", "PWD"]);
    let npm = rig.packages(PackageManager::Npm).await.unwrap().unwrap();
    let (first, rest) = npm.split_once('\n').unwrap();
    let expected = format!("/: list --json --depth=0 --no-update-notifier --logs-max=0 --prefix={}", rig.top.display());
    assert_eq!(first, expected);
    for name in ["NODE_OPTIONS=", "LD_PRELOAD=", "PYTHONPATH="] {
        assert!(!rest.lines().any(|line| line.starts_with(name)), "{rest}");
    }
    assert!(rest.contains("npm_config_userconfig=/dev/null\n"), "{rest}");
}

#[tokio::test]
async fn what_is_planted_for_python_is_not_run() {
    let rig = Rig::new();
    let mark = rig.top.join("mark");
    let evil = format!("open({:?}, 'w').write(__name__)\n", mark.display().to_string());
    for name in ["pip.py", "json.py", "sitecustomize.py", "usercustomize.py", "encodings.py"] {
        fs::write(rig.top.join(name), &evil).unwrap();
    }
    fs::create_dir_all(rig.top.join(".config/pip")).unwrap();
    fs::write(rig.top.join(".config/pip/pip.conf"), "[global]\npython = /nonexistent\n").unwrap();
    let said = rig.packages(PackageManager::Pip).await.unwrap().unwrap();
    assert!(said.trim_start().starts_with('['), "{said}");
    assert!(!mark.exists());
}

#[tokio::test]
async fn the_project_around_the_server_is_what_npm_is_asked_about() {
    let rig = Rig::new();
    rig.program("npm", "echo $*");
    let ask = async |directory: &str| {
        let directory = rig.top.join(directory);
        fs::create_dir_all(&directory).unwrap();
        let said = packages(&rig.supervisor, PackageManager::Npm, rig.found("npm"), &directory).await;
        String::from_utf8(said.unwrap().unwrap()).unwrap()
    };
    assert!(ask("p/a").await.trim_end().ends_with("/p/a"));
    fs::write(rig.top.join("p/package.json"), "{}").unwrap();
    assert!(ask("p/a").await.trim_end().ends_with("/p"));
    fs::create_dir(rig.top.join("p/a/node_modules")).unwrap();
    assert!(ask("p/a").await.trim_end().ends_with("/p/a"));
}

#[tokio::test]
async fn a_program_that_is_not_there_has_nothing_to_say_and_one_that_does_not_start_is_a_failure() {
    let rig = Rig::new();
    let nothing = ProcessGuard::new("/nonexistent".as_ref(), &rig.top);
    let missing = nothing.check(&["npm".to_owned()], &rig.top).unwrap();
    assert_eq!(packages(&rig.supervisor, PackageManager::Npm, missing, &rig.top).await, Ok(None));
    let barred = rig.top.join("bin/barred");
    fs::write(&barred, "").unwrap();
    let barred = rig.guard.check(&[barred.display().to_string()], &rig.top).unwrap();
    let failure = LookupFailure::Start(StartFailure::Program(ProgramFailure::NotExecutable));
    assert_eq!(packages(&rig.supervisor, PackageManager::Npm, barred, &rig.top).await, Err(failure));
}

#[tokio::test]
async fn python_is_asked_once() {
    let rig = Rig::new();
    rig.program("python3", "echo x >> $HOME/asked; echo Python 3.99.1");
    let python = Python::default();
    for _ in 0..3 {
        assert_eq!(python.version(&rig.supervisor, rig.found("python3")).await, Ok(Some("3.99.1")));
    }
    assert_eq!(fs::read_to_string(rig.top.join("asked")).unwrap(), "x\n");
    let nothing = ProcessGuard::new("/nonexistent".as_ref(), &rig.top);
    let missing = nothing.check(&["python3".to_owned()], &rig.top).unwrap();
    assert_eq!(Python::default().version(&rig.supervisor, missing).await, Ok(None));
}
