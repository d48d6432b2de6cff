//! Sessions and contexts.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::cdp::SessionId;
use crate::page::State;

/// Sessions that are known. What a page opens beyond that runs without being listened to.
const MOST: usize = 4096;

/// Popups of one context.
const MOST_POPUPS: usize = 10;

/// What a session talks to.
#[derive(Debug, Clone)]
pub(super) enum Role {
    /// An identity's page.
    Page(Arc<State>),
    /// A frame in a process of its own, or a worker, of such a page.
    Part(Arc<State>),
    /// A page that such a page opened; its context.
    Popup(Arc<str>),
}

/// A context, which has one page.
#[derive(Debug)]
struct Context {
    state: Arc<State>,
    /// Who waits for the page's session.
    awaited: Option<oneshot::Sender<SessionId>>,
    popups: usize,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Roles {
    sessions: HashMap<SessionId, Role>,
    contexts: HashMap<Arc<str>, Context>,
}

/// What a page is that has come to be.
pub(super) enum NewPage {
    /// The page that was waited for. Whoever did sees to it.
    Awaited,
    /// Another one.
    Popup,
    /// One too many.
    TooMany,
    /// None of any context's.
    Stray,
}

impl Roles {
    pub(super) fn expect(&mut self, context: &str, state: &Arc<State>, tell: oneshot::Sender<SessionId>) {
        let entry = Context { state: state.clone(), awaited: Some(tell), popups: 0 };
        self.contexts.insert(context.into(), entry);
    }

    pub(super) fn forget(&mut self, context: &str) -> Option<Arc<State>> {
        self.contexts.remove(context).map(|context| context.state)
    }

    /// The states of all pages.
    pub(super) fn pages(&self) -> Vec<Arc<State>> {
        self.contexts.values().map(|context| context.state.clone()).collect()
    }

    /// What a session talks to.
    pub(super) fn of(&self, session: &str) -> Option<(SessionId, Role)> {
        self.sessions.get_key_value(session).map(|(session, role)| (session.clone(), role.clone()))
    }

    /// A page has come to be in a context.
    pub(super) fn new_page(&mut self, session: &SessionId, context: &str) -> NewPage {
        let Some(id) = self.contexts.get_key_value(context).map(|(id, _)| id.clone()) else { return NewPage::Stray };
        let Some(entry) = self.contexts.get_mut(context) else { return NewPage::Stray };
        if let Some(awaited) = entry.awaited.take() {
            self.sessions.insert(session.clone(), Role::Page(entry.state.clone()));
            // Nobody may be waiting any more; the context goes then.
            let _ = awaited.send(session.clone());
            return NewPage::Awaited;
        }
        if entry.popups >= MOST_POPUPS || self.sessions.len() >= MOST {
            return NewPage::TooMany;
        }
        entry.popups += 1;
        self.sessions.insert(session.clone(), Role::Popup(id));
        NewPage::Popup
    }

    /// A frame or worker of what `parent` talks to has come to be. False: it belongs to no page, or there are too many.
    pub(super) fn new_part(&mut self, session: &SessionId, parent: Option<&str>) -> bool {
        let state = match parent.and_then(|parent| self.sessions.get(parent)) {
            Some(Role::Page(state) | Role::Part(state)) if self.sessions.len() < MOST => state.clone(),
            _ => return false,
        };
        self.sessions.insert(session.clone(), Role::Part(state));
        true
    }

    /// A session has ended. What it was.
    pub(super) fn ended(&mut self, session: &str) -> Option<Role> {
        let role = self.sessions.remove(session)?;
        if let Role::Popup(context) = &role
            && let Some(context) = self.contexts.get_mut(context)
        {
            context.popups = context.popups.saturating_sub(1);
        }
        Some(role)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::oneshot;

    use super::{NewPage, Role, Roles};
    use crate::page::State;

    fn roles() -> (Roles, oneshot::Receiver<Arc<str>>) {
        let (tell, told) = oneshot::channel();
        let mut roles = Roles::default();
        roles.expect("C", &Arc::new(State::new(Arc::default())), tell);
        (roles, told)
    }

    #[test]
    fn the_first_page_of_a_context_is_the_page_and_the_next_ones_are_popups() {
        let (mut roles, mut told) = roles();
        assert!(matches!(roles.new_page(&"S".into(), "C"), NewPage::Awaited));
        assert_eq!(&*told.try_recv().unwrap(), "S");
        for popup in 0..10 {
            assert!(matches!(roles.new_page(&format!("P{popup}").into(), "C"), NewPage::Popup));
        }
        assert!(matches!(roles.new_page(&"P10".into(), "C"), NewPage::TooMany));
        assert!(matches!(roles.ended("P3"), Some(Role::Popup(_))));
        assert!(matches!(roles.new_page(&"P11".into(), "C"), NewPage::Popup));
        assert!(matches!(roles.new_page(&"X".into(), "other"), NewPage::Stray));
    }

    #[test]
    fn parts_belong_to_the_page_of_their_parent() {
        let (mut roles, _told) = roles();
        roles.new_page(&"S".into(), "C");
        roles.new_page(&"P".into(), "C");
        assert!(roles.new_part(&"F".into(), Some("S")));
        assert!(roles.new_part(&"W".into(), Some("F")));
        assert!(!roles.new_part(&"X".into(), Some("P")));
        assert!(!roles.new_part(&"Y".into(), None));
        assert!(matches!(roles.of("W"), Some((_, Role::Part(_)))));
        assert!(roles.of("X").is_none());
        assert_eq!(roles.pages().len(), 1);
        assert!(roles.forget("C").is_some() && roles.pages().is_empty());
    }
}
