//! The reference: a Python package, installed into an environment of its own on first use.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::ServerError;

/// The version that abxd is measured against.
pub const VERSION: &str = "0.4.0a6";

/// The reference, installed.
#[derive(Debug)]
pub struct Reference {
    folder: PathBuf,
    program: PathBuf,
}

impl Reference {
    /// The reference in `scratch`; installed with pip where it is not there yet.
    ///
    /// # Errors
    /// There is no `python3` with `venv`, or the package index can't be reached.
    pub fn install(scratch: &Path) -> Result<Self, ServerError> {
        let folder = scratch.join(format!("reference-{VERSION}"));
        let reference = Self { program: folder.join("bin/agent-sandbox-server"), folder };
        // It is the last thing that an installation makes.
        if !reference.program.is_file() {
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&reference.folder))?;
            let package = format!("agent-sandbox-server=={VERSION}");
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--pre", &package];
            run(Command::new(reference.python()).args(pip))?;
        }
        Ok(reference)
    }

    /// Its server program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The version of the Python that runs it.
    ///
    /// # Errors
    /// Python does not run.
    pub fn python_version(&self) -> Result<String, ServerError> {
        let output = run(Command::new(self.python()).arg("--version"))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn python(&self) -> PathBuf {
        self.folder.join("bin/python3")
    }
}

fn run(command: &mut Command) -> Result<Output, ServerError> {
    let program = PathBuf::from(command.get_program());
    let failed = |detail| ServerError::Program { program: program.clone(), detail };
    let output = command.output().map_err(|cause| failed(cause.to_string()))?;
    if output.status.success() {
        return Ok(output);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!("{}: {}; `--no-reference` does without it", output.status, errors.trim())))
}
