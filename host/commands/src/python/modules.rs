//! What the interpreter is given to run.

use bytes::Bytes;
use serde_json::{Value, json};

/// The program of `python3 -c`: it takes everything else from the channel.
pub(super) const BOOTSTRAP: &str = include_str!("../../python/bootstrap.py");

/// A module: its name, whether it is a package, its file, its text.
type Module = (&'static str, bool, &'static str, &'static str);

macro_rules! module {
    ($name:literal, $is_package:literal, $file:literal) => {
        ($name, $is_package, $file, include_str!(concat!("../../python/", $file)))
    };
}

const MODULES: [Module; 13] = [
    module!("agent_sandbox", true, "agent_sandbox/__init__.py"),
    module!("agent_sandbox.server", true, "agent_sandbox/server/__init__.py"),
    module!("agent_sandbox.server.arguments", false, "agent_sandbox/server/arguments.py"),
    module!("agent_sandbox.server.groups", false, "agent_sandbox/server/groups.py"),
    module!("agent_sandbox.server.policy", false, "agent_sandbox/server/policy.py"),
    module!("agent_sandbox.server.registry", false, "agent_sandbox/server/registry.py"),
    module!("agent_sandbox.server.serving", false, "agent_sandbox/server/serving.py"),
    module!("abxd_worker", true, "abxd_worker/__init__.py"),
    module!("abxd_worker.calling", false, "abxd_worker/calling.py"),
    module!("abxd_worker.channel", false, "abxd_worker/channel.py"),
    module!("abxd_worker.loading", false, "abxd_worker/loading.py"),
    module!("abxd_worker.main", false, "abxd_worker/main.py"),
    module!("abxd_worker.results", false, "abxd_worker/results.py"),
];

/// All modules, as the bootstrap reads them.
pub(super) fn all() -> Bytes {
    let of = |(name, is_package, file, text): Module| {
        (name.to_owned(), json!({"is_package": is_package, "file": file, "text": text}))
    };
    Value::Object(MODULES.into_iter().map(of).collect()).to_string().into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::MODULES;

    #[test]
    fn every_file_is_a_module() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
        let mut pending = vec![root.clone()];
        let mut found = Vec::new();
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with("__pycache__") {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "py") {
                    found.push(path.strip_prefix(&root).unwrap().display().to_string());
                }
            }
        }
        found.retain(|file| file != "bootstrap.py");
        found.sort();
        let mut known = MODULES.map(|(_, _, file, _)| file.to_owned());
        known.sort();
        assert_eq!(found, known);
        for (name, is_package, file, _) in MODULES {
            let end = if is_package { "/__init__.py" } else { ".py" };
            assert_eq!(name.replace('.', "/") + end, file);
        }
    }
}
