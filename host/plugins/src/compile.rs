//! Compiling a third party's component, in a limited child and never in the server (decision D73).
//!
//! The child is `abxd-compiler confined`: it gets the component on stdin and writes the code to stdout, both anonymous
//! memory; it has no environment, limits itself, and is killed when it takes too long. The code is then sealed, so that
//! what is mapped can't be changed by anybody.
//!
//! Compiled code is kept on disk only where children of the server can't write: see [`Cache`].

mod cache;

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use wasmtime::Engine;
use wasmtime::component::Component;

pub use cache::Cache;

use crate::package::Package;

/// How long compiling may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks at the child.
const LOOK: Duration = Duration::from_millis(5);

/// Compiles components.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// The program `abxd-compiler`.
    pub program: PathBuf,
    /// Where compiled code is kept.
    pub cache: Cache,
}

/// Why a component was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler does not start.
    #[error("{}: {cause}; it is needed beside the server for components of third parties", program.display())]
    NoCompiler {
        /// The program.
        program: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The system has no memory or descriptor to give.
    #[error("{}: {cause}", file.display())]
    System {
        /// The component.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It took too long.
    #[error("{}: not compiled within {} s", file.display(), PATIENCE.as_secs())]
    TooSlow {
        /// The component.
        file: PathBuf,
    },
    /// The compiler refused it, or went over its limits.
    #[error("{}: {said}", file.display())]
    Refused {
        /// The component.
        file: PathBuf,
        /// What the compiler said.
        said: String,
    },
    /// The code can't be mapped.
    #[error(transparent)]
    Map(#[from] abxd_sys::component::MapError),
}

impl Compiler {
    /// Compile a component, or take its code from the cache. Blocks.
    ///
    /// # Errors
    /// See [`CompileError`].
    pub fn compile(&self, engine: &Engine, package: &Package) -> Result<Component, CompileError> {
        if let Some(component) = self.cache.look_up(engine, package) {
            return Ok(component);
        }
        let code = self.run(package)?;
        self.cache.keep(package, &code);
        Ok(abxd_sys::component::map_sealed(engine, &code, &package.file)?)
    }

    fn run(&self, package: &Package) -> Result<File, CompileError> {
        let system = |cause| CompileError::System { file: package.file.clone(), cause };
        let mut component = anonymous("component").map_err(system)?;
        component.write_all(&package.bytes).and_then(|()| component.rewind()).map_err(system)?;
        let code = anonymous("code").map_err(system)?;
        let said = anonymous("words").map_err(system)?;
        let mut child = Command::new(&self.program)
            .arg("confined")
            .env_clear()
            .current_dir("/")
            .stdin(component)
            .stdout(code.try_clone().map_err(system)?)
            .stderr(said.try_clone().map_err(system)?)
            .spawn()
            .map_err(|cause| CompileError::NoCompiler { program: self.program.clone(), cause })?;
        let status = wait(&mut child).map_err(system)?;
        match status {
            None => Err(CompileError::TooSlow { file: package.file.clone() }),
            Some(status) if status.success() => {
                let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
                fcntl_add_seals(&code, seals).map_err(|cause| system(cause.into()))?;
                Ok(code)
            }
            Some(status) => {
                let said = words(said).map_err(system)?;
                let said = if said.is_empty() { format!("the compiler ended with {status}") } else { said };
                Err(CompileError::Refused { file: package.file.clone(), said })
            }
        }
    }
}

/// Anonymous memory that can be sealed.
fn anonymous(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?.into())
}

/// Wait for the child, and end it when it takes too long. It is reaped in every case.
fn wait(child: &mut Child) -> io::Result<Option<std::process::ExitStatus>> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

/// The last line that the compiler wrote, bounded.
fn words(mut said: File) -> io::Result<String> {
    said.rewind()?;
    let mut text = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(said, 4096), &mut text)?;
    let text = String::from_utf8_lossy(&text);
    Ok(text.lines().last().unwrap_or_default().trim_start_matches("abxd-compiler: ").to_owned())
}
