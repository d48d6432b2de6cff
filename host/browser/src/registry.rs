//! Who is who in the browser: sessions, contexts and pages; and what becomes of each event.
//!
//! Every target is attached to before it does anything. It gets what its kind needs and is let go on. The lock is held to
//! look a session up.

mod attach;
mod guard;
mod roles;
mod tell;

use std::sync::{Arc, Mutex, PoisonError};

use abxd_guards::url::UrlDenial;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::cdp::protocol::target::{SetAutoAttach, TargetFilter};
use crate::cdp::{Event, Listener, Reactions, SessionId};
use crate::judge::Judge;
use crate::page::State;
use crate::proxy::Credentials;
use crate::sentry::Sentry;
pub(crate) use attach::REQUESTS;
use roles::{Role, Roles};

/// The browser's own windows are none of ours.
const FILTER: [TargetFilter; 4] = [
    TargetFilter { kind: Some("browser"), exclude: true },
    TargetFilter { kind: Some("tab"), exclude: true },
    TargetFilter { kind: Some("browser_ui"), exclude: true },
    TargetFilter { kind: None, exclude: false },
];

/// Attach to whatever comes, and let it wait until it has been seen to.
pub(crate) const WATCHED: SetAutoAttach =
    SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter: &FILTER };

/// What is known of a browser's targets.
#[derive(Debug)]
pub(crate) struct Registry {
    roles: Mutex<Roles>,
    sentry: Arc<Sentry>,
    credentials: Arc<Credentials>,
    judge: Judge,
}

impl Registry {
    /// Nothing is known yet.
    pub(crate) fn new(sentry: Arc<Sentry>, credentials: Arc<Credentials>, judge: Judge) -> Self {
        Self { roles: Mutex::default(), sentry, credentials, judge }
    }

    /// The first page of this context will be that of `state`. Resolves to its session.
    pub(crate) fn expect(&self, context: &str, state: &Arc<State>) -> oneshot::Receiver<SessionId> {
        let (tell, session) = oneshot::channel();
        self.roles(|roles| roles.expect(context, state, tell));
        session
    }

    /// A context is being closed. Its page is lost.
    pub(crate) fn forget(&self, context: &str) {
        if let Some(state) = self.roles(|roles| roles.forget(context)) {
            state.change(|facts| facts.is_lost = true);
        }
    }

    /// A document of this frame was refused.
    pub(crate) fn refuse(&self, frame: &str, denial: UrlDenial) {
        for state in self.roles(|roles| roles.pages()) {
            state.change(|facts| facts.refused(frame, denial));
        }
    }

    fn roles<T>(&self, look: impl FnOnce(&mut Roles) -> T) -> T {
        look(&mut self.roles.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Listener for Arc<Registry> {
    fn hear(&self, session: Option<&str>, method: &str, params: &RawValue, reactions: &mut Reactions<'_>) {
        match (session, method) {
            (_, "Target.attachedToTarget") => read(params, |event| self.attached(session, event, reactions)),
            (_, "Target.detachedFromTarget") => read(params, |event| self.detached(&event)),
            (_, "Fetch.requestPaused") => read(params, |event| self.paused(event, reactions)),
            (_, "Fetch.authRequired") => read(params, |event| self.challenged(&event, reactions)),
            (Some(session), "Page.javascriptDialogOpening") => {
                read(params, |event| tell::answer_dialog(session, &event, reactions));
            }
            (Some(session), _) => {
                let role = self.roles(|roles| roles.of(session));
                if let Some((session, Role::Page(state))) = role {
                    tell::of_page(&state, &session, method, params, reactions);
                } else if let Some((session, Role::Part(state))) = role {
                    tell::of_part(&state, &session, method, params, reactions);
                }
            }
            (None, _) => {}
        }
    }

    fn gone(&self) {
        for state in self.roles(|roles| roles.pages()) {
            state.change(|facts| facts.is_lost = true);
        }
    }
}

/// Reads an event. One that can't be read has not been.
fn read<E: Event>(params: &RawValue, then: impl FnOnce(E)) {
    match serde_json::from_str(params.get()) {
        Ok(event) => then(event),
        Err(cause) => tracing::debug!(%cause, event = E::METHOD, "an event of the browser can't be read"),
    }
}
