//! File systems on which others write too: the kernel tells only what was done on this machine, so directories there are
//! also looked at at intervals.

use std::os::fd::AsFd;

use rustix::fs::fstatfs;

/// `f_type` of file systems that a server or another machine writes to (statfs(2)): AFS twice, Ceph, CIFS, Coda, FUSE
/// (virtiofs too), GFS2, Lustre, NFS, OCFS2, SMB, SMB2, 9P, VirtualBox and VMware shared folders.
const REMOTE: [u32; 15] = [
    0x5346_414f,
    0x6b41_4653,
    0x00c3_6400,
    0xff53_4d42,
    0x7375_7245,
    0x6573_5546,
    0x0116_1970,
    0x0bd0_0bd0,
    0x0000_6969,
    0x7461_636f,
    0x0000_517b,
    0xfe53_4d42,
    0x0102_1997,
    0x786f_4256,
    0xbacb_acbc,
];

/// Whether the kernel may not be told of every change in the directory.
pub(super) fn is_remote(dir: impl AsFd) -> bool {
    // The lowest 32 bits are the number, whatever the width and the sign of the platform's field.
    fstatfs(dir)
        .is_ok_and(|found| REMOTE.iter().any(|kind| i64::from(*kind) & 0xffff_ffff == found.f_type & 0xffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::is_remote;

    #[test]
    fn what_only_this_machine_writes_is_not_remote() {
        for local in [std::env::temp_dir(), "/proc".into(), "/dev".into()] {
            assert!(!is_remote(std::fs::File::open(local).unwrap()));
        }
    }
}
