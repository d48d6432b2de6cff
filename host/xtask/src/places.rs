//! Where things are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::Failure;

/// Folders of this checkout and of what is built from it.
#[derive(Debug)]
pub(crate) struct Places {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
}

impl Places {
    pub(crate) fn find() -> Result<Self, Failure> {
        // Cargo says where the package is; a copy of this program that is run by hand knows where it was.
        let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = ancestor(&PathBuf::from(package))?;
        // The folder that this program was built into, whatever variable or configuration made it that one.
        let program = std::env::current_exe().map_err(|source| Failure::io("xtask", source))?;
        let target = ancestor(&program)?;
        Ok(Self { root, target })
    }

    /// What the release profile leaves.
    pub(crate) fn release(&self) -> PathBuf {
        self.target.join("release")
    }

    /// The server.
    pub(crate) fn server(&self) -> PathBuf {
        self.release().join("abxd")
    }

    /// The ahead-of-time compiler.
    pub(crate) fn compiler(&self) -> PathBuf {
        self.release().join("abxd-compiler")
    }

    /// The compiled components that the server finds beside itself.
    pub(crate) fn builtin(&self) -> PathBuf {
        self.release().join("builtin")
    }

    /// The components they were compiled from, with their manifests in them.
    pub(crate) fn packed(&self) -> PathBuf {
        self.release().join("packed")
    }

    /// The modules that scripts import, as they are in the sources.
    pub(crate) fn python_sources(&self) -> PathBuf {
        self.root.join("host/commands/python/agent_sandbox")
    }

    /// The same, where the server finds them beside itself.
    pub(crate) fn python(&self) -> PathBuf {
        self.release().join("python/agent_sandbox")
    }

    /// Packed components that only tests load.
    pub(crate) fn test_plugins(&self) -> PathBuf {
        self.release().join("test-plugins")
    }

    /// The Python environment with the published client.
    pub(crate) fn client(&self) -> PathBuf {
        self.target.join("client")
    }

    /// Its Python.
    pub(crate) fn client_python(&self) -> PathBuf {
        self.client().join("bin/python3")
    }
}

/// The folder two levels up: of a package the checkout, of a program the target folder.
fn ancestor(path: &Path) -> Result<PathBuf, Failure> {
    let found = path.ancestors().nth(2).map(Path::to_owned);
    found.ok_or_else(|| Failure::Tree { detail: format!("{}: not inside a checkout", path.display()) })
}

/// The entries of a folder, in the order of their names.
pub(crate) fn entries(folder: &Path) -> Result<Vec<(OsString, PathBuf)>, Failure> {
    let listed = || {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            found.push((entry.file_name(), entry.path()));
        }
        found.sort();
        Ok(found)
    };
    listed().map_err(|source| Failure::io(folder, source))
}
