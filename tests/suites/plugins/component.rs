//! The components of `tests/plugins`, as they are and as others would have packed them.

use std::path::{Path, PathBuf};

use abxd_manifest::{Manifest, section};
use serde_json::{Value, json};

use crate::harness::{Answer, Server, Setup, abxd, checkout};

/// A packed component.
#[track_caller]
pub(crate) fn packed(name: &str) -> PathBuf {
    let folder = std::env::var_os("ABXD_TEST_PLUGINS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| abxd().with_file_name("test-plugins"));
    let file = folder.join(format!("{name}.wasm"));
    assert!(file.is_file(), "these tests need {}: `cargo xtask test` builds it", file.display());
    file
}

/// What its `plugin.toml` says.
pub(crate) fn manifest(name: &str) -> String {
    std::fs::read_to_string(checkout().join("tests/plugins").join(name).join("plugin.toml")).unwrap()
}

/// The component without its manifest, as it came from the compiler.
pub(crate) fn bare(name: &str) -> Vec<u8> {
    let packed = std::fs::read(packed(name)).unwrap();
    let manifest = section::read(&packed).unwrap().unwrap();
    // The manifest is the first section, right after the header of eight bytes.
    let end = manifest.as_ptr().addr() + manifest.len() - packed.as_ptr().addr();
    [&packed[..8], &packed[end..]].concat()
}

/// A component with a manifest, whether that fits it or not.
pub(crate) fn pack(component: &[u8], manifest: &str) -> Vec<u8> {
    let manifest = Manifest::from_toml(manifest, "plugin.toml").unwrap();
    section::insert(component, &manifest.to_json().unwrap()).unwrap()
}

/// A manifest with one endpoint.
pub(crate) fn one_endpoint(group: &str, endpoint: &str) -> String {
    format!("group = \"{group}\"\nversion = \"1.0.0\"\n[[endpoint]]\nsummary = \"s\"\nscopes = []\n{endpoint}\n")
}

impl Setup {
    /// Load a component.
    pub(crate) fn plugin(self, file: impl AsRef<Path>) -> Self {
        self.arg("--plugin").arg(file.as_ref())
    }

    pub(crate) fn grant(self, grant: &str) -> Self {
        self.arg("--grant").arg(grant)
    }

    /// Load the hostile component, with all that it asks for, and a good one beside it.
    pub(crate) fn with_hostile(self) -> Self {
        self.plugin(packed("hostile")).grant("hostile:files").plugin(packed("echo"))
    }

    /// Keep a file of the test's own.
    pub(crate) fn keep(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// A policy with a budget of group `hostile`.
pub(crate) fn budget(budget: &Value) -> Value {
    json!({"plugins": {"hostile": {"budget": budget}}})
}

impl Server {
    /// `GET` without parameters of its own.
    #[track_caller]
    pub(crate) fn ask(&self, target: &str) -> Answer {
        self.call(&self.request("GET", target))
    }

    /// What `/capabilities` shows of one group's plugin.
    #[track_caller]
    pub(crate) fn plugin(&self, group: &str) -> Value {
        let capabilities = self.ask("/capabilities").ok();
        let plugins = capabilities["plugins"].as_array().unwrap().clone();
        plugins.into_iter().find(|plugin| plugin["group"] == group).unwrap_or_else(|| panic!("{group}: {capabilities}"))
    }

    /// The whole of an error that a component's group answers: nothing in it comes from the component.
    #[track_caller]
    pub(crate) fn breaks(&self, target: &str, status: u16, code: &str) -> Value {
        self.ask(target).is_broken(status, code)
    }
}

impl Answer {
    /// See [`Server::breaks`] (contract: pipeline §7, the last row).
    #[track_caller]
    pub(crate) fn is_broken(&self, status: u16, code: &str) -> Value {
        let body = self.refused(status, code);
        assert_eq!(body["type"], if status == 504 { "TimeoutError" } else { "RuntimeError" }, "{self:?}");
        let mut members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        assert_eq!(members, ["code", "endpoint", "error", "type"], "{self:?}");
        assert!(!self.text().contains("wasm") && !self.text().contains("secret"), "{self:?}");
        body
    }
}
