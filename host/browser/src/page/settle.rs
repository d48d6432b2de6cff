//! After a call that was given up, or that ran out of time: the page is made usable for the next one. One that can't be is as
//! good as lost.

use std::time::Duration;

use super::{Limit, Page};
use crate::cdp::protocol::page::StopLoading;
use crate::cdp::protocol::runtime::{Evaluate, TerminateExecution};

/// How long a page may take to answer that is not busy.
const ANSWER: Duration = Duration::from_secs(1);

/// How often a script is ended: another one may begin right away.
const ATTEMPTS: usize = 5;

impl Page {
    /// Ends what is loading and what is running, if anything is.
    pub(crate) async fn settle(&self) {
        if self.state.look(|facts| facts.is_navigating) {
            let _ = self.call(Limit::of(ANSWER), "loading to stop", &StopLoading {}).await;
        }
        self.let_go(Limit::of(ANSWER)).await;
        for _ in 0..ATTEMPTS {
            if self.is_lost() || self.answers().await {
                return;
            }
            // The reply comes with the end of a script; the next look absorbs it where none is running.
            self.connection.tell(Some(&self.session), &TerminateExecution {}).await;
        }
        tracing::debug!("a page does not answer any more");
        self.state.change(|facts| facts.is_lost = true);
    }

    /// Whether the page runs a script when it is asked to.
    async fn answers(&self) -> bool {
        let Some(world) = self.state.look(|facts| facts.own_world.clone()) else { return true };
        let nothing = Evaluate {
            expression: "0",
            world: &world,
            return_by_value: true,
            await_promise: false,
            user_gesture: false,
            timeout: None,
        };
        match self.call(Limit::of(ANSWER), "an answer", &nothing).await {
            Ok(evaluated) => evaluated.exception_details.is_none(),
            // A world that is gone says so at once.
            Err(super::call::Trouble::Refused(message)) => !message.contains("terminated"),
            Err(super::call::Trouble::Failure(_)) => false,
        }
    }
}
