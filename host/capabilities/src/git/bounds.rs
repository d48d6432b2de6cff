//! What a run that looks at a repository may reach, whatever it finds there: the working tree, the repository, the
//! stage, and what the program consists of. The kernel holds it to that (`abxd_sys::confinement`), so that a link that is
//! put where none was leads nowhere.
//!
//! Where the kernel can't, the look at the parts has to do (`parts`), and what lies in submodules, which that does not
//! reach, is left out.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use abxd_guards::process::ProgramFailure;
use abxd_sys::confinement::{Confinement, Right};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::run::Order;
use super::stages::Turn;
use super::{Git, GitFailure};
use crate::process::StartFailure;

/// Where programs, and what they consist of, are below the root, `/usr` or where a program was installed.
const PARTS: [&str; 8] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share"];

/// Where they are besides: collections of packages, and what the loader reads.
const OTHERS: [&str; 4] = ["/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.preload"];

/// What the program consists of, held open.
#[derive(Debug)]
pub(super) struct System(Vec<(OwnedFd, Right)>);

impl System {
    /// For a program of this real path.
    fn of(program: &Path) -> Self {
        let installed = program.parent().and_then(Path::parent).unwrap_or_else(|| Path::new("/"));
        let tops = [Path::new("/"), Path::new("/usr"), Path::new("/usr/local"), installed];
        let parts = tops.iter().flat_map(|top| PARTS.iter().map(|part| top.join(part)));
        let own = program.parent().map(Path::to_owned);
        let run = parts.chain(OTHERS.iter().map(PathBuf::from)).chain(own).map(|place| (place, Right::Run));
        let devices = [("/dev/null", Right::Write), ("/dev/urandom", Right::Read)];
        let all = run.chain(devices.map(|(place, right)| (place.into(), right)));
        Self(all.filter_map(|(place, right)| Some((named(&place)?, right))).collect())
    }

    /// Bounds around the system and `places`.
    pub(super) fn bounds<'a>(&self, places: impl IntoIterator<Item = &'a OwnedFd>) -> Result<Confinement, Errno> {
        let bounds = Confinement::new()?;
        let system = self.0.iter().map(|(place, right)| (place, *right));
        for (place, right) in system.chain(places.into_iter().map(|place| (place, Right::Read))) {
            bounds.grant(place, right)?;
        }
        Ok(bounds)
    }
}

/// A descriptor that only names what is there.
pub(super) fn named(place: &Path) -> Option<OwnedFd> {
    openat(CWD, place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()
}

impl Git {
    /// What bounds are made of, found out once. None: runs can't be bounded.
    ///
    /// # Errors
    /// It could not be found out this time.
    pub(super) async fn system(&self, deadline: Instant, turn: &Turn) -> Result<Option<Arc<System>>, GitFailure> {
        let system = self.stages.system.get_or_try_init(|| async {
            let found = self.try_bounds(deadline, turn).await?;
            if let Err(cause) = &found {
                tracing::warn!(cause, "git is not held to the repositories that it is shown: what is put into one while it is read may lead it out");
            }
            Ok::<_, GitFailure>(found.ok())
        });
        system.await.cloned()
    }

    /// Whether git runs in bounds at all.
    async fn try_bounds(&self, deadline: Instant, turn: &Turn) -> Result<Result<Arc<System>, String>, GitFailure> {
        let root = openat(CWD, "/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let program = self.program().await?;
        let Ok(file) = program.file() else { return Ok(Err("there is no git".to_owned())) };
        let system = System::of(file.real());
        let bounds = match system.bounds([]) {
            Ok(bounds) => bounds,
            Err(errno) => return Ok(Err(errno.to_string())),
        };
        let order = Order {
            arguments: vec!["--version".to_owned()],
            directory: root,
            variables: Vec::new(),
            bounds: Some(bounds),
            turn: turn.clone(),
        };
        match self.run(order, deadline, |output| std::io::copy(output, &mut std::io::sink())).await {
            Ok(ran) if ran.was_killed() => Err(GitFailure::Os(Errno::CANCELED)),
            Ok(ran) => Ok(ran.success().map(|_| Arc::new(system)).map_err(|failure| failure.to_string())),
            Err(GitFailure::Start(StartFailure::Program(ProgramFailure::NotExecutable))) => {
                Ok(Err("the program lies out of bounds".to_owned()))
            }
            Err(failure) => Err(failure),
        }
    }
}
