//! Who belongs to what is being ended.

use std::collections::HashSet;

use rustix::process::{Pid, getpid, getsid};

use super::Tree;
use super::mark;
use super::table::{Row, Table};
use crate::process::ledger::{self, Owner};

/// What is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quarry {
    /// One tree.
    Tree(Tree),
    /// Everything of a supervisor, and every orphan that nobody else in this process owns.
    Everything(Owner),
}

impl Quarry {
    /// Whether that is its mark, or one of its marks.
    pub(super) fn bears(self, found: u64) -> bool {
        match self {
            Self::Tree(tree) => found == tree.mark,
            Self::Everything(owner) => mark::owner(found) == owner,
        }
    }

    /// Those that are alive, parents before their children.
    pub(super) fn members(self, table: &Table) -> Vec<Row> {
        let below = table.below(own_pid());
        match self {
            Self::Tree(tree) => of_tree(&below, tree),
            Self::Everything(owner) => of_owner(&below, owner),
        }
    }
}

fn own_pid() -> i32 {
    getpid().as_raw_nonzero().get()
}

fn of_tree(below: &[Row], tree: Tree) -> Vec<Row> {
    let leader = tree.leader.as_raw_nonzero().get();
    // As long as the leader isn't reaped, its number can't be anybody else's session.
    let is_pinned = ledger::owner(tree.leader) == Some(mark::owner(tree.mark));
    let mut members = HashSet::new();
    let mut alive = Vec::new();
    for row in below {
        let belongs = members.contains(&row.parent)
            || (is_pinned && row.session == leader)
            || match mark::read(row.pid) {
                Some(found) if found == tree.mark => true,
                // Of another tree: then the session's number has been used again.
                Some(found) if mark::owner(found) == mark::owner(tree.mark) => false,
                _ => row.session == leader,
            };
        if belongs {
            members.insert(row.pid);
            alive.extend(row.is_alive().then_some(*row));
        }
    }
    alive
}

/// A child of this process that is in its own session is somebody else's here (see the ledger), with all below it.
fn of_owner(below: &[Row], owner: Owner) -> Vec<Row> {
    let (own, session) = (own_pid(), getsid(None).map_or(0, |session| session.as_raw_nonzero().get()));
    let is_foreign = |row: &Row| {
        let other = |known: Owner| known != owner && ledger::is_owner(known);
        let entered = Pid::from_raw(row.pid).and_then(ledger::owner);
        row.session == session
            || entered.is_some_and(|entered| entered != owner)
            || mark::read(row.pid).map(mark::owner).is_some_and(other)
    };
    let mut members = HashSet::new();
    let mut alive = Vec::new();
    for row in below {
        if members.contains(&row.parent) || (row.parent == own && !is_foreign(row)) {
            members.insert(row.pid);
            alive.extend(row.is_alive().then_some(*row));
        }
    }
    alive
}
