//! Where programs and scratch files are.

use std::path::{Path, PathBuf};

use super::ServerError;

/// Paths of one run, all below cargo's target folder.
#[derive(Clone, Debug)]
pub struct Places {
    /// The server under test.
    pub abxd: PathBuf,
    /// The server with native handlers.
    pub native: PathBuf,
    /// The compiler of third parties' components.
    pub compiler: PathBuf,
    /// The compiled components of the built-in groups.
    pub builtin: PathBuf,
    /// The packed components that only tests load.
    pub test_plugins: PathBuf,
    /// What the runs keep and make.
    pub scratch: PathBuf,
}

impl Places {
    /// The programs that lie beside this one, as cargo leaves them; `abxd` is another one where that is named.
    ///
    /// # Errors
    /// A program is missing, or there is no scratch folder.
    pub fn find(abxd: Option<PathBuf>) -> Result<Self, ServerError> {
        let program = std::env::current_exe().map_err(ServerError::files("abxd-bench"))?;
        let folder = program.parent().unwrap_or(Path::new("."));
        let scratch = folder.parent().unwrap_or(folder).join("bench");
        std::fs::create_dir_all(&scratch).map_err(ServerError::files(&scratch))?;
        let abxd = abxd.unwrap_or_else(|| folder.join("abxd"));
        let [native, compiler] = ["abxd-bench-native", "abxd-compiler"].map(|name| folder.join(name));
        let [builtin, test_plugins] = ["builtin", "test-plugins"].map(|name| folder.join(name));
        let places = Self { abxd, native, compiler, builtin, test_plugins, scratch };
        for program in [&places.abxd, &places.native, &places.compiler, &places.test_plugin("hostile")] {
            if !program.is_file() {
                let detail = "not there; `cargo xtask bench` builds it".to_owned();
                return Err(ServerError::Program { program: program.clone(), detail });
            }
        }
        Ok(places)
    }

    /// A packed component of `tests/plugins`.
    #[must_use]
    pub fn test_plugin(&self, name: &str) -> PathBuf {
        self.test_plugins.join(format!("{name}.wasm"))
    }
}
