//! Finding a repository from a directory in its working tree.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use abxd_guards::file::{Facts, Kind};
use abxd_guards::path::{Access, CheckedPath, OpenFailure, PathGuard};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use tokio::task::spawn_blocking;

use super::discovery::{Discovered, Format, QUESTION};
use super::failure::interrupted;
use super::run::{KEPT, Order};
use super::settings::{Judge, LISTING, Settings, User};
use super::stages::Turn;
use super::{Git, GitFailure, approach};

/// Most bytes of an answer about where the repository is.
const LONGEST_PLACE: u64 = 64 << 10;

/// Most bytes of configuration.
const LONGEST_SETTINGS: u64 = 8 << 20;

/// A descriptor to run a program in.
const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A repository with a working tree.
#[derive(Debug)]
pub(super) struct Repository {
    /// Real path of the working tree: the directory that git found its `.git` in, whatever the repository says.
    pub(super) root: PathBuf,
    /// The same as a descriptor.
    pub(super) root_directory: OwnedFd,
    /// The directory that was asked for, below the root.
    pub(super) start: PathBuf,
    pub(super) start_directory: OwnedFd,
    /// What belongs to this working tree alone: `HEAD`, the index.
    pub(super) git_dir: PathBuf,
    pub(super) git_directory: OwnedFd,
    /// What all working trees of the repository share.
    pub(super) common: PathBuf,
    pub(super) common_directory: OwnedFd,
    pub(super) format: Format,
    pub(super) settings: Settings,
}

impl Repository {
    /// The directory that was asked for, from the root.
    pub(super) fn start_below_root(&self) -> &Path {
        self.start.strip_prefix(&self.root).unwrap_or(&self.start)
    }

    /// What a run reads.
    pub(super) fn places(&self) -> impl Iterator<Item = &OwnedFd> {
        [&self.root_directory, &self.git_directory, &self.common_directory].into_iter().chain(&self.settings.excludes)
    }
}

impl Git {
    /// The repository whose working tree `start` lies in.
    ///
    /// # Errors
    /// What git says where there is none; [`GitFailure::Denied`] where the guard refuses where it really lies.
    pub(super) async fn find(
        &self,
        guard: &Arc<PathGuard>,
        start: CheckedPath,
        turn: &Turn,
        deadline: Instant,
    ) -> Result<Repository, GitFailure> {
        let approached = Arc::clone(guard);
        let opened = spawn_blocking(move || {
            let directory = start.name_directory().map_err(not_entered)?;
            approach::examine(&approached, start.real())?;
            Ok::<_, GitFailure>((start.real().to_owned(), directory))
        });
        let (start, start_directory) = opened.await.map_err(interrupted)??;
        let order = |arguments: &[&str]| {
            let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            let directory = start_directory.try_clone()?;
            Ok::<_, io::Error>(Order { arguments, directory, variables: Vec::new(), bounds: None, turn: turn.clone() })
        };
        let (place, listed) = tokio::join!(
            self.run(order(&QUESTION)?, deadline, |output| whole(output, LONGEST_PLACE)),
            self.run(order(&LISTING)?, deadline, |output| whole(output, LONGEST_SETTINGS)),
        );
        let place = place?.success()?;
        let found = Discovered::read(&place).ok_or_else(|| said("git did not say where the repository is"))?;
        let listed = listed?.success()?;
        let variables = self.supervisor.environment().of_the_start(&KEPT);
        let variable = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
        let user = User::new(variable("HOME"), variable("XDG_CONFIG_HOME"));
        let guard = Arc::clone(guard);
        let located = spawn_blocking(move || locate(&guard, start, start_directory, found, &listed, &user));
        located.await.map_err(interrupted)?
    }
}

fn said(words: &str) -> GitFailure {
    GitFailure::Said(words.to_owned())
}

/// As git says it of a directory that it is to start in.
fn not_entered(failure: OpenFailure) -> GitFailure {
    match failure {
        OpenFailure::Denied(denial) => denial.into(),
        OpenFailure::Os(errno) => GitFailure::Said(format!("cannot change to the directory: {errno}")),
        OpenFailure::NotAFile | OpenFailure::ParentNotDirectory { .. } => {
            GitFailure::Said(format!("cannot change to the directory: {}", Errno::NOTDIR))
        }
    }
}

fn whole(output: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    output.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Errno::FBIG.into()) } else { Ok(bytes) }
}

fn locate(
    guard: &Arc<PathGuard>,
    start: PathBuf,
    start_directory: OwnedFd,
    found: Discovered,
    listed: &[u8],
    user: &User,
) -> Result<Repository, GitFailure> {
    let Discovered { is_bare, format, git_dir } = found;
    let is_inside = start.starts_with(&git_dir);
    let root = if is_bare || is_inside { None } else { root_of(&start, &git_dir) };
    let Some((root, depth, place)) = root else { return Err(said("this operation must be run in a work tree")) };
    let common = shared(&git_dir)?;
    // A plain `.git` belongs to its working tree, wherever that begins. What a repository points at does not.
    let pointed_at =
        |path: &Path| guard.check(path.as_os_str().as_bytes(), Access::Read)?.name_directory().map_err(not_entered);
    let root_directory = above(&start_directory, depth)?;
    let git_directory = match place {
        Place::Here => openat(&root_directory, ".git", DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?,
        Place::Elsewhere => pointed_at(&git_dir)?,
    };
    let common_directory = if common == git_dir { git_directory.try_clone()? } else { pointed_at(&common)? };
    let own = [git_dir.join("config"), git_dir.join("config.worktree"), common.join("config")];
    let settings = Settings::of(listed, format, user, &Judge { guard, root: &root, own: &own });
    Ok(Repository {
        root,
        root_directory,
        start,
        start_directory,
        git_dir,
        git_directory,
        common,
        common_directory,
        format,
        settings,
    })
}

/// Where the directory of a repository lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It is the `.git` of the working tree.
    Here,
    /// A link or a file of that name leads to it.
    Elsewhere,
}

/// The directory whose `.git` is, or leads to, `git_dir`: the nearest one from `start` upwards, and how many levels up
/// it is.
fn root_of(start: &Path, git_dir: &Path) -> Option<(PathBuf, usize, Place)> {
    start.ancestors().enumerate().find_map(|(depth, directory)| {
        let entry = directory.join(".git");
        let is = |path: PathBuf| fs::canonicalize(path).is_ok_and(|real| real == git_dir);
        let kind = fs::symlink_metadata(&entry).ok()?.file_type();
        let place = match (kind.is_dir(), kind.is_symlink()) {
            (true, _) => is(entry).then_some(Place::Here),
            (_, true) => {
                let file = pointer(&entry, OFlags::empty()).map(|target| directory.join(target));
                (is(entry) || file.is_some_and(is)).then_some(Place::Elsewhere)
            }
            _ => is(directory.join(pointer(&entry, OFlags::NOFOLLOW)?)).then_some(Place::Elsewhere),
        };
        place.map(|place| (directory.to_owned(), depth, place))
    })
}

/// What a `.git` that is a file names (`gitrepository-layout(5)`).
pub(super) fn pointer(file: &Path, flags: OFlags) -> Option<PathBuf> {
    let text = small(file, flags).ok()??;
    let target = text.strip_prefix(b"gitdir: ")?;
    Some(Path::new(OsStr::from_bytes(line(target))).to_owned())
}

/// Where what all working trees share lies.
pub(super) fn shared(git_dir: &Path) -> Result<PathBuf, GitFailure> {
    let Some(text) = small(&git_dir.join("commondir"), OFlags::NOFOLLOW)? else { return Ok(git_dir.to_owned()) };
    Ok(fs::canonicalize(git_dir.join(OsStr::from_bytes(line(&text))))?)
}

fn line(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    text.get(..end).unwrap_or_default()
}

/// The content of a small regular file. None: there is none. Never waits for a FIFO.
fn small(path: &Path, flags: OFlags) -> Result<Option<Vec<u8>>, GitFailure> {
    let file = match openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(errno.into()),
    };
    if Facts::of(&file)?.kind != Kind::File {
        return Ok(None);
    }
    Ok(Some(whole(&mut fs::File::from(file), LONGEST_PLACE)?))
}

/// So many levels above a directory: the way up knows no links.
fn above(directory: &OwnedFd, levels: usize) -> Result<OwnedFd, Errno> {
    let mut here = openat(directory, ".", DIRECTORY, Mode::empty())?;
    for _ in 0..levels {
        here = openat(here.as_fd(), "..", DIRECTORY, Mode::empty())?;
    }
    Ok(here)
}
