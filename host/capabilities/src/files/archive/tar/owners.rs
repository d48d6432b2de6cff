//! Names of owners.

use std::collections::HashMap;

use abxd_guards::file::Facts;
use nix::unistd::{Gid, Group, Uid, User};

/// The names of users and groups, asked of the system once for each number. A number without a name has the empty one.
#[derive(Default)]
pub(super) struct Owners {
    users: HashMap<u32, String>,
    groups: HashMap<u32, String>,
}

impl Owners {
    /// The names of the owner and the group of a file.
    pub(super) fn of(&mut self, facts: &Facts) -> (&str, &str) {
        let user = self.users.entry(facts.uid).or_insert_with(|| {
            let known = User::from_uid(Uid::from_raw(facts.uid));
            known.ok().flatten().map(|user| user.name).unwrap_or_default()
        });
        let group = self.groups.entry(facts.gid).or_insert_with(|| {
            let known = Group::from_gid(Gid::from_raw(facts.gid));
            known.ok().flatten().map(|group| group.name).unwrap_or_default()
        });
        (user, group)
    }
}
