//! What an entry looked like, to tell whether it changed.

use std::hash::{DefaultHasher, Hash, Hasher};

use abxd_guards::file::Facts;

/// The look of an entry, folded up: a watch holds one for every entry it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Which file, its size and modification time.
    content: u64,
    /// Change time.
    changed: u64,
    /// Mode, owner, group, number of links.
    attributes: u64,
}

impl Stamp {
    pub(super) fn of(facts: &Facts) -> Self {
        Self {
            content: fold((facts.id.device, facts.id.inode, facts.size, facts.modified.secs, facts.modified.nanos)),
            changed: fold((facts.changed.secs, facts.changed.nanos)),
            attributes: fold((facts.mode, facts.uid, facts.gid, facts.links)),
        }
    }

    /// Whether it is the same file with the same size and modification time.
    pub(super) fn is_same(&self, now: &Self) -> bool {
        self.content == now.content
    }

    /// Whether the content may have changed between two looks. A change time that moved while no attribute did gives away
    /// a rewrite that put size and modification time back.
    pub(super) fn may_differ(&self, now: &Self) -> bool {
        !self.is_same(now) || (self.changed != now.changed && self.attributes == now.attributes)
    }
}

fn fold(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::UNIX_EPOCH;

    use abxd_guards::file::Facts;

    use super::Stamp;

    fn stamp(file: &fs::File) -> Stamp {
        Stamp::of(&Facts::of(file).unwrap())
    }

    #[test]
    fn a_rewrite_that_hides_itself_is_seen_and_a_new_mode_is_none() {
        use std::os::unix::fs::{FileExt, PermissionsExt};
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"1", 0).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        let before = stamp(&file);
        file.set_permissions(fs::Permissions::from_mode(0o600)).unwrap();
        file.set_permissions(fs::Permissions::from_mode(0o640)).unwrap();
        let repainted = stamp(&file);
        assert!(before.is_same(&repainted) && !before.may_differ(&repainted));
        // The change time may be as coarse as the kernel's tick.
        while stamp(&file) == repainted {
            file.write_all_at(b"2", 0).unwrap();
            file.set_modified(UNIX_EPOCH).unwrap();
        }
        let rewritten = stamp(&file);
        assert!(repainted.is_same(&rewritten) && repainted.may_differ(&rewritten));
        file.set_len(0).unwrap();
        assert!(!rewritten.is_same(&stamp(&file)));
    }
}
