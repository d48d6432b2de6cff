//! What package managers know (`contract: system`, `packages`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use abxd_guards::process::CheckedProgram;

use super::lookup::{LookupFailure, look_up};
use crate::process::Supervisor;

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageManager {
    /// Python's, of the `python3` that is found.
    Pip,
    /// Node's.
    Npm,
}

impl PackageManager {
    /// The program to run: what the process guard is asked for.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Pip => "python3",
            Self::Npm => "npm",
        }
    }
}

/// What the manager prints of the packages it knows: a list for pip, an object for npm, as JSON. None: there is no such
/// program. `program` is [`PackageManager::program`]; npm is asked for the packages of `directory`, or of the project
/// that lies around it.
///
/// Neither reads a configuration file that a caller can write, but for the `.npmrc` of that project, in which nothing
/// names a program that `npm list` runs.
///
/// # Errors
/// See [`LookupFailure`].
pub async fn packages(
    supervisor: &Supervisor,
    manager: PackageManager,
    program: CheckedProgram,
    directory: &Path,
) -> Result<Option<Vec<u8>>, LookupFailure> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (argv, own) = match manager {
        PackageManager::Pip => {
            let argv = ["python3", "-I", "-m", "pip", "--disable-pip-version-check", "list", "--format", "json"];
            // With this name pip reads no configuration at all: one could name an interpreter to run.
            (words(&argv), vec![("PIP_CONFIG_FILE", "/dev/null".into())])
        }
        PackageManager::Npm => {
            let argv = ["npm", "list", "--json", "--depth=0", "--no-update-notifier", "--logs-max=0"];
            // As a variable it would mean the packages that all share.
            let place = project_around(directory).to_str().map(|place| format!("--prefix={place}"));
            (words(&argv).into_iter().chain(place).collect(), npm_settings(supervisor))
        }
    };
    let own = own.into_iter().chain([("LC_ALL", "C.UTF-8".into())]).collect();
    look_up(supervisor, program, argv, own).await
}

/// Settings as variables, which go before those of any file.
fn npm_settings(supervisor: &Supervisor) -> Vec<(&'static str, OsString)> {
    let mut settings = vec![
        ("npm_config_userconfig", "/dev/null".into()),
        // Must be another name than the user's, and can never be a file.
        ("npm_config_globalconfig", "/dev/null/npmrc".into()),
        ("npm_config_node_options", OsString::new()),
    ];
    let variables = supervisor.environment().snapshot();
    if let Some((_, home)) = variables.iter().find(|(name, _)| name == "HOME") {
        settings.push(("npm_config_cache", PathBuf::from(home).join(".npm").into()));
    }
    settings
}

/// The project that npm would work on if it were run in `directory`.
fn project_around(directory: &Path) -> &Path {
    let is_project = |place: &&Path| ["package.json", "node_modules"].iter().any(|name| place.join(name).exists());
    directory.ancestors().find(is_project).unwrap_or(directory)
}
