//! A folder for commands files, and what is loaded from it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use abxd_capabilities::process::{Environment, Settings, Supervisor};
use abxd_commands::{CallFailure, Host, LoadError, Loaded, Order, Returned, Source, Value, Values, load};
use abxd_guards::process::ProcessGuard;
use serde_json::Value as Json;

/// Within it, everything has to have happened.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Rig {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) host: Host,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With these variables on top of the test's own.
    pub(crate) fn with(variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::inherited();
        let own = environment.snapshot().iter().cloned().collect::<Vec<_>>();
        let added = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let search = std::env::var_os("PATH").unwrap();
        let host = Host {
            supervisor: Supervisor::start(environment, Settings::new(folder.path().to_owned())).unwrap(),
            guard: Arc::new(ProcessGuard::new(&search, folder.path())),
            working_dir: folder.path().to_owned(),
            environment: own.into_iter().chain(added).collect(),
            scratch: folder.path().into(),
        };
        Self { folder, host }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file in the folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub(crate) async fn load_all(&self, given: &[&str]) -> Result<Loaded, LoadError> {
        let sources = given.iter().map(|given| Source::of(given, self.folder.path())).collect();
        tokio::time::timeout(PATIENCE, load(&Order { sources, interpreter: None }, &self.host)).await.unwrap()
    }

    /// Load one file with this text.
    pub(crate) async fn python(&self, text: &str) -> Loaded {
        let file = self.file("commands.py", text);
        self.load_all(&[&file]).await.unwrap()
    }

    /// What is said of a file that can't be loaded.
    pub(crate) async fn refusal(&self, name: &str, text: &str) -> String {
        let file = self.file(name, text);
        let refused = self.load_all(&[&file]).await.unwrap_err().to_string();
        refused.replace(&file, name)
    }
}

/// Names and order of what was loaded.
pub(crate) fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.registry.iter().map(|command| command.name.as_str()).collect()
}

/// Call a command, with values in the order of its arguments.
pub(crate) async fn call(loaded: &Loaded, name: &str, values: &[(&str, Value)]) -> Result<Json, CallFailure> {
    let command = loaded.registry.find(name).unwrap_or_else(|| panic!("{name}"));
    let given = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let values = Values::new(&command.arguments, given).unwrap();
    let returned = tokio::time::timeout(PATIENCE, command.target.call(&values)).await.unwrap()?;
    Ok(match returned {
        Returned::Json(text) => serde_json::from_slice(&text.read().unwrap()).unwrap(),
        Returned::Text(text) => Json::from(String::from_utf8(text.read().unwrap()).unwrap()),
    })
}

/// Class and text of a failure.
pub(crate) fn raised(failure: CallFailure) -> (String, String) {
    match failure {
        CallFailure::Raised { class, text } => (class, text),
        CallFailure::Busy => panic!("busy"),
    }
}

/// Class and text of what a command raises.
pub(crate) async fn failed(loaded: &Loaded, name: &str) -> (String, String) {
    raised(call(loaded, name, &[]).await.unwrap_err())
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}
