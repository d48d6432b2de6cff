//! One child and its tree.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;

use super::exit::Exit;
use super::ledger;
use super::tree::{Goal, Hunter, Tree};

/// How long a tree has between SIGTERM and SIGKILL (D30).
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// The same where a terminal goes.
const HANG_UP_GRACE: Duration = Duration::from_millis(200);

/// Handle of one child and its tree.
///
/// Dropping it ends the tree (SIGTERM, at most 1 s, SIGKILL) without anybody waiting for it, unless the child has ended by
/// itself or [`Child::detach`] was called. The child is reaped in any case, by a task that lives as long as it does.
#[derive(Debug)]
pub struct Child {
    tree: Tree,
    hunter: Arc<Hunter>,
    exit: watch::Receiver<Option<Exit>>,
    detached: bool,
}

impl Child {
    /// Takes over a child that was started and entered in the ledger.
    ///
    /// # Errors
    /// The runtime can't watch it.
    pub(super) fn adopt(tree: Tree, handle: OwnedFd, hunter: Arc<Hunter>) -> io::Result<Self> {
        let (tell, exit) = watch::channel(None);
        #[expect(
            deprecated,
            reason = "unsound only for what is no owned descriptor; the other one is an unsafe function"
        )]
        let handle = AsyncFd::with_interest(handle, Interest::READABLE)?;
        tokio::spawn(watch(tree.leader, handle, tell));
        Ok(Self { tree, hunter, exit, detached: false })
    }

    /// Process id. It is the child's until it has ended; afterwards it may be given to another process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.tree.leader.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until the child itself has ended. Any number of tasks may wait.
    pub async fn wait(&self) -> Exit {
        let mut exit = self.exit.clone();
        let ended = exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit);
        // Without the task that watches it the runtime is ending, and the child with it.
        ended.unwrap_or(Exit::KILLED)
    }

    /// How the child ended, if it has.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        *self.exit.borrow()
    }

    /// Kills the whole tree with SIGKILL, now; does not wait for it.
    pub fn kill(&self) {
        drop(self.hunter.hunt(self.tree, Goal::Kill));
    }

    /// As [`Child::kill`]; waits until nothing is left of the tree, or nothing more can be done.
    pub async fn killed(&self) {
        self.hunter.hunt(self.tree, Goal::Kill).await;
    }

    /// Ends the whole tree: SIGTERM, at most 1 s, SIGKILL. Waits until nothing is left of it, or nothing more can be done.
    pub async fn end(&self) {
        self.hunter.hunt(self.tree, Goal::End(GRACE)).await;
    }

    /// The child has ended: ends what is left of its tree, without waiting for it.
    pub(super) fn end_rest(&self) {
        drop(self.hunter.hunt(self.tree, Goal::End(GRACE)));
    }

    /// Ends the whole tree as one whose terminal goes: SIGHUP, SIGCONT and SIGTERM to all, at most 200 ms, SIGKILL
    /// (`contract: terminal`, DELETE). Waits until nothing is left of it, or nothing more can be done.
    pub async fn hang_up(&self) {
        self.hunter.hunt(self.tree, Goal::HangUp(HANG_UP_GRACE)).await;
    }

    /// Sends a signal to the child's process group.
    ///
    /// # Errors
    /// `ESRCH` once the child has ended: its number is never used again for a signal.
    pub fn signal_group(&self, signal: Signal) -> io::Result<()> {
        Ok(ledger::signal_group(self.tree.leader, signal)?)
    }

    /// Lets the tree live on until the supervisor shuts down.
    pub fn detach(mut self) {
        self.detached = true;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.detached && self.exit.borrow().is_none() {
            drop(self.hunter.hunt(self.tree, Goal::End(GRACE)));
        }
    }
}

/// Waits for the child's end, reaps it, tells of it.
async fn watch(pid: Pid, handle: AsyncFd<OwnedFd>, tell: watch::Sender<Option<Exit>>) {
    loop {
        let ready = handle.readable().await;
        if let Some(exit) = ledger::reap(pid, handle.get_ref().as_fd()) {
            tell.send_replace(Some(exit));
            return;
        }
        match ready {
            Ok(mut ready) => ready.clear_ready(),
            // The runtime is ending. The orphan's way is left: nobody owns it from here on.
            Err(_) => return,
        }
    }
}
