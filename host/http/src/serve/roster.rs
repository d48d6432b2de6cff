//! The open connections of one listener. Only the accept loop touches it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinSet};

use crate::signals::{Lull, Order, Signals};

/// How long a head may take even while others wait for its place.
const HEAD_MERCY: Duration = Duration::from_secs(1);

/// See the module. Dropping it cuts all.
#[derive(Debug, Default)]
pub(super) struct Roster {
    tasks: JoinSet<()>,
    signals: HashMap<Id, Arc<Signals>>,
}

impl Roster {
    pub(super) fn len(&self) -> usize {
        self.signals.len()
    }

    pub(super) fn add(&mut self, signals: Arc<Signals>, task: impl Future<Output = ()> + Send + 'static) {
        let id = self.tasks.spawn(task).id();
        self.signals.insert(id, signals);
    }

    /// Waits for a connection to end, for ever if there is none. Cancel safe.
    pub(super) async fn one_ended(&mut self) {
        let id = match self.tasks.join_next_with_id().await {
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => error.id(),
            None => return std::future::pending().await,
        };
        self.signals.remove(&id);
    }

    /// The connection that is missed least: the one that has been idle longest, or, where none is idle, the one that has
    /// been sending its head longest, and for [`HEAD_MERCY`] at least. Looks at all: it is needed at the limit only.
    pub(super) fn least_missed(&self) -> Option<&Signals> {
        let lulls = self.signals.values().filter_map(|signals| Some((signals.lull()?, signals)));
        let missed_least = lulls.min_by_key(|((lull, since), _)| (*lull == Lull::Head, *since));
        let ((lull, since), signals) = missed_least?;
        (lull == Lull::Idle || since.elapsed() >= HEAD_MERCY).then_some(&**signals)
    }

    pub(super) fn tell_all(&self, order: Order) {
        self.signals.values().for_each(|signals| signals.give(order));
    }

    /// Ends every task; returns how many were still there.
    pub(super) async fn cut_all(&mut self) -> usize {
        let cut = self.signals.len();
        self.signals.clear();
        self.tasks.shutdown().await;
        cut
    }
}
