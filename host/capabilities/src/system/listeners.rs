//! Sockets that listen for TCP, and who holds them.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

use procfs::net::{TcpNetEntry, TcpState, tcp, tcp6};
use rustix::fs::{CWD, Dir, Mode, OFlags, openat, readlinkat};

/// How the link of a descriptor to a socket begins; its inode and a bracket follow.
const SOCKET: &[u8] = b"socket:[";

/// One socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Address and port. An IPv6 address stands as it is, IPv4-mapped ones too, and has no zone.
    pub address: SocketAddr,
    /// The lowest number of a process that holds the socket. None: it can't be told, as of another user's process.
    pub pid: Option<u32>,
}

/// All of this network namespace, IPv4 first, each in the kernel's order (`contract: system`, decision D41). The
/// processes are looked through once.
#[must_use]
pub fn listeners() -> Vec<Listener> {
    let rows = [tcp(), tcp6()].into_iter().flat_map(Result::unwrap_or_default);
    let rows: Vec<_> = rows.filter(|row: &TcpNetEntry| row.state == TcpState::Listen).collect();
    let mut holders: HashMap<u64, Option<u32>> = rows.iter().map(|row| (row.inode, None)).collect();
    if !holders.is_empty() {
        find(&mut holders);
    }
    let pid = |inode| holders.get(&inode).copied().flatten();
    rows.into_iter().map(|row| Listener { address: row.local_address, pid: pid(row.inode) }).collect()
}

/// Fill in who holds each socket, until all are known.
fn find(holders: &mut HashMap<u64, Option<u32>>) {
    let mut missing = holders.len();
    for pid in pids() {
        if missing == 0 {
            break;
        }
        let Some(descriptors) = open(&format!("/proc/{pid}/fd")) else { continue };
        missing = missing.saturating_sub(holds(&descriptors, pid, holders));
    }
}

/// Every process, the lowest number first.
fn pids() -> Vec<u32> {
    let Some(proc) = open("/proc").and_then(|proc| Dir::new(proc).ok()) else { return Vec::new() };
    let names = proc.filter_map(|entry| entry.ok()?.file_name().to_str().ok()?.parse().ok());
    let mut pids: Vec<u32> = names.collect();
    pids.sort_unstable();
    pids
}

/// Notes the sockets that nobody is known to hold yet and `pid` does; how many they are.
fn holds(descriptors: &OwnedFd, pid: u32, holders: &mut HashMap<u64, Option<u32>>) -> usize {
    let Ok(names) = Dir::read_from(descriptors) else { return 0 };
    let mut found = 0;
    let mut text = Vec::with_capacity(64);
    for name in names.filter_map(Result::ok) {
        let Ok(link) = readlinkat(descriptors, name.file_name(), std::mem::take(&mut text)) else { continue };
        text = link.into_bytes();
        let inode = text.strip_prefix(SOCKET).and_then(|rest| rest.strip_suffix(b"]"));
        let inode = inode.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        if let Some(holder @ None) = inode.and_then(|inode: u64| holders.get_mut(&inode)) {
            *holder = Some(pid);
            found += 1;
        }
    }
    found
}

fn open(path: &str) -> Option<OwnedFd> {
    openat(CWD, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()
}
