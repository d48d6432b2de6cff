//! What is to be started.

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::Resource;

use super::{SpawnError, Stage};
use crate::confinement::Confinement;

/// Most descriptors whose close-on-exec flag is set one by one where `close_range(2)` is not known.
const MOST_DESCRIPTORS: RawFd = 65_536;

/// A program to start, with everything that its process has.
#[derive(Debug)]
pub struct Order<'a> {
    /// The file to run, as a descriptor (path-only will do). It is what runs, whatever stands at `path` by then; but see
    /// there.
    pub program: BorrowedFd<'a>,
    /// The file's absolute path: what runs where a descriptor can't, because an interpreter has to open the file by name
    /// (`#!`, `binfmt_misc`; `execveat(2)`, BUGS). It must lead to the same file when it is looked at just before.
    pub path: &'a CStr,
    /// The arguments, the program's name first.
    pub argv: &'a [CString],
    /// The environment, `NAME=value` each.
    pub environment: &'a [CString],
    /// The working directory; the server's own if there is none.
    pub directory: Option<BorrowedFd<'a>>,
    /// The child's `oom_score_adj` (`proc_pid_oom_score_adj(5)`), from before its program runs. Where the child may not
    /// write its own, as that of a server that is neither root nor dumpable, it stays the server's.
    pub oom_score_adj: Option<&'a CStr>,
    /// Descriptors, each with the number it has in the child. Should have 0, 1 and 2, unless there is a terminal.
    pub descriptors: &'a [(BorrowedFd<'a>, RawFd)],
    /// Path of a terminal that is to control the child's session, and to be its descriptors 0, 1 and 2.
    pub terminal: Option<&'a CStr>,
    /// Resource limits to set.
    pub limits: &'a [Limit],
    /// Another user to become. Needs privileges.
    pub user: Option<&'a User>,
    /// What it may reach of the file system, its program included; as much as its user may if there is none. No program
    /// of it ever gets privileges then (`PR_SET_NO_NEW_PRIVS`).
    pub confinement: Option<&'a Confinement>,
}

/// A resource limit (`setrlimit(2)`).
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Which.
    pub resource: Resource,
    /// The limit that counts.
    pub soft: u64,
    /// What it may be raised to.
    pub hard: u64,
}

/// Who a child runs as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// User id.
    pub id: u32,
    /// Primary group.
    pub group: u32,
    /// All groups.
    pub groups: Vec<u32>,
}

/// An order in the form that the child reads: arrays and numbers, nothing to allocate or compute. What the child has to
/// say stands in the atomic numbers.
pub(super) struct Prepared<'a> {
    pub(super) program: RawFd,
    pub(super) path: *const c_char,
    pub(super) identity: (u64, u64),
    pub(super) argv: Vec<*const c_char>,
    pub(super) environment: Vec<*const c_char>,
    pub(super) directory: Option<RawFd>,
    /// Source, number in the child, and room for the source once it is out of the way. In ascending order of the number.
    pub(super) descriptors: Vec<(RawFd, RawFd, AtomicI32)>,
    /// The lowest number above all that the child gets.
    pub(super) floor: RawFd,
    pub(super) oom_score_adj: Option<&'a CStr>,
    pub(super) most_descriptors: RawFd,
    pub(super) terminal: *const c_char,
    pub(super) limits: Vec<(u32, libc::rlimit64)>,
    pub(super) user: Option<&'a User>,
    pub(super) confinement: Option<RawFd>,
    pub(super) stage: AtomicI32,
    pub(super) errno: AtomicI32,
    order: PhantomData<&'a Order<'a>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn of(order: &'a Order<'a>) -> Result<Self, Errno> {
        let facts = rustix::fs::fstat(order.program)?;
        let array = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        let mut descriptors: Vec<_> = order
            .descriptors
            .iter()
            .map(|(source, number)| (source.as_raw_fd(), *number, AtomicI32::new(-1)))
            .collect();
        descriptors.sort_unstable_by_key(|(_, number, _)| *number);
        let is_twice = descriptors.windows(2).any(|pair| matches!(pair, [(_, one, _), (_, other, _)] if one == other));
        if is_twice || descriptors.first().is_some_and(|(_, number, _)| *number < 0) {
            return Err(Errno::INVAL);
        }
        let highest = descriptors.last().map_or(2, |(_, number, _)| (*number).max(2));
        let open_files = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let limit =
            |limit: &Limit| (limit.resource as u32, libc::rlimit64 { rlim_cur: limit.soft, rlim_max: limit.hard });
        Ok(Self {
            program: order.program.as_raw_fd(),
            path: order.path.as_ptr(),
            identity: (facts.st_dev, facts.st_ino),
            argv: array(order.argv),
            environment: array(order.environment),
            directory: order.directory.map(|directory| directory.as_raw_fd()),
            descriptors,
            floor: highest.checked_add(1).ok_or(Errno::BADF)?,
            oom_score_adj: order.oom_score_adj,
            most_descriptors: RawFd::try_from(open_files).map_or(MOST_DESCRIPTORS, |most| most.min(MOST_DESCRIPTORS)),
            terminal: order.terminal.map_or(ptr::null(), CStr::as_ptr),
            limits: order.limits.iter().map(limit).collect(),
            user: order.user,
            confinement: order.confinement.map(|confinement| confinement.as_fd().as_raw_fd()),
            stage: AtomicI32::new(0),
            errno: AtomicI32::new(0),
            order: PhantomData,
        })
    }

    /// What the child said, if it failed.
    pub(super) fn failure(&self) -> Option<SpawnError> {
        let errno = self.errno.load(Ordering::SeqCst);
        let stage = match self.stage.load(Ordering::SeqCst) {
            2 => Stage::Terminal,
            3 => Stage::User,
            4 => Stage::Directory,
            5 => Stage::Program,
            _ => Stage::Prepare,
        };
        (errno != 0).then(|| SpawnError { stage, errno: Errno::from_raw_os_error(errno) })
    }
}
