use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Failure;
use crate::places::{Places, entries};

/// A crate that becomes a component: a folder with a `plugin.toml` and a `Cargo.toml` in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    /// Name of its folder; for a built-in group, of the group.
    pub(crate) name: String,
    /// Name of its crate.
    pub(crate) package: String,
    /// Its folder.
    pub(crate) folder: PathBuf,
}

impl Guest {
    /// The built-in groups. Those that have only a manifest so far are none.
    pub(crate) fn built_in(places: &Places) -> Result<Vec<Self>, Failure> {
        Self::all(&places.root.join("plugins"))
    }

    /// Components that only tests load.
    pub(crate) fn of_tests(places: &Places) -> Result<Vec<Self>, Failure> {
        Self::all(&places.root.join("tests/plugins"))
    }

    /// What third parties are shown, in Rust; each is a workspace of its own.
    pub(crate) fn examples(places: &Places) -> Result<Vec<Self>, Failure> {
        Self::all(&places.root.join("plugins/examples/rust"))
    }

    /// All guests right below a folder, in the order of their names.
    fn all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let mut guests = Vec::new();
        for (name, folder) in entries(folder)? {
            let cargo = folder.join("Cargo.toml");
            if !(folder.join("plugin.toml").is_file() && cargo.is_file()) {
                continue;
            }
            let text = fs::read_to_string(&cargo).map_err(|source| Failure::io(&cargo, source))?;
            let package = package(&text).ok_or_else(|| unusable(&cargo, "it names no package"))?;
            let name = name.into_string().map_err(|name: OsString| unusable(Path::new(&name), "not a name"))?;
            guests.push(Self { name, package: package.to_owned(), folder });
        }
        Ok(guests)
    }

    /// Its `plugin.toml`.
    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.join("plugin.toml")
    }

    /// The component that cargo leaves, built with a profile.
    pub(crate) fn component(&self, places: &Places, profile: &str) -> PathBuf {
        places.target.join("wasm32-wasip2").join(profile).join(format!("{}.wasm", self.package.replace('-', "_")))
    }
}

/// The package's name in a `Cargo.toml` that is written as ours are.
fn package(cargo: &str) -> Option<&str> {
    cargo.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

fn unusable(path: &Path, why: &str) -> Failure {
    Failure::Tree { detail: format!("{}: {why}", path.display()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_that_of_its_cargo_toml() {
        assert_eq!(package("[package]\nname = \"abx-file-ops\"\nversion = \"1\"\n"), Some("abx-file-ops"));
        assert_eq!(package("[workspace]\n"), None);
    }

    #[test]
    fn cargo_calls_the_component_after_the_package() {
        let places = Places { root: "/checkout".into(), target: "/target".into() };
        let guest = Guest { name: "file_ops".to_owned(), package: "abx-file-ops".to_owned(), folder: "/x".into() };
        assert_eq!(guest.component(&places, "guest"), Path::new("/target/wasm32-wasip2/guest/abx_file_ops.wasm"));
    }
}
