//! The facts of a page, and how events change them.

use std::collections::VecDeque;
use std::time::Duration;

use abxd_guards::url::UrlDenial;
use tokio::time::Instant;

use super::requests::Requests;
use crate::cdp::SessionId;
use crate::cdp::protocol::network::RequestWillBeSent;
use crate::cdp::protocol::page::Frame;
use crate::cdp::protocol::runtime::ContextDescription;

/// Name of the world in which the host's own scripts run.
pub(crate) const WORLD: &str = "abxd";

/// How long nothing may be in flight before the network counts as idle.
const IDLE: Duration = Duration::from_millis(500);

/// Documents that are remembered: who navigated looks soon.
const DOCUMENTS: usize = 8;

/// How far a document has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Milestone {
    /// The answer is there, and the page with it.
    Commit,
    /// `DOMContentLoaded`
    DomContentLoaded,
    /// `load`
    Load,
    /// No request has been in flight for half a second.
    NetworkIdle,
}

/// What is known.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The page is gone.
    pub(crate) is_lost: bool,
    /// The main frame's id, once it is known.
    pub(crate) main_frame: String,
    /// The main frame's address, with its fragment.
    pub(crate) url: String,
    /// The page's own world, if it is there.
    pub(crate) page_world: Option<String>,
    /// The host's world, if it is there.
    pub(crate) own_world: Option<String>,
    /// How often a navigation of the main frame has begun.
    pub(crate) begun: u64,
    /// A navigation of the main frame is under way.
    pub(crate) is_navigating: bool,
    /// The loader of that navigation, once it is known.
    loading: Option<String>,
    /// Loaders of the documents that the main frame has had, latest last.
    documents: VecDeque<String>,
    /// Statuses of their answers.
    statuses: VecDeque<(String, u16)>,
    is_dom_loaded: bool,
    is_loaded: bool,
    requests: Requests,
    /// Since when nothing is in flight.
    quiet: Option<Instant>,
    /// Why the main frame's navigation was refused, since that was forgotten last.
    pub(crate) refusal: Option<UrlDenial>,
}

impl Facts {
    /// The page as it is when it is opened.
    pub(crate) fn opened(&mut self, main: &Frame) {
        self.main_frame.clone_from(&main.id);
        if self.documents.is_empty() {
            self.committed(main);
        }
    }

    /// A frame has a new document.
    pub(crate) fn navigated(&mut self, frame: &Frame) {
        if frame.parent_id.is_none() {
            self.committed(frame);
        }
    }

    fn committed(&mut self, main: &Frame) {
        self.url = format!("{}{}", main.url, main.url_fragment.as_deref().unwrap_or_default());
        remember(&mut self.documents, main.loader_id.clone());
        (self.is_dom_loaded, self.is_loaded) = (false, false);
        self.requests.keep_those_of(&main.loader_id);
        self.settled();
        self.quiet = None;
        self.count();
    }

    /// A frame's address changed within its document.
    pub(crate) fn moved_within(&mut self, frame: &str, url: String) {
        if frame == self.main_frame {
            self.url = url;
            self.settled();
        }
    }

    /// A frame's document reached a milestone.
    pub(crate) fn reached(&mut self, frame: &str, loader: &str, name: &str) {
        if frame == self.main_frame && self.documents.back().is_some_and(|current| current == loader) {
            match name {
                "DOMContentLoaded" => self.is_dom_loaded = true,
                "load" => self.is_loaded = true,
                _ => {}
            }
        }
    }

    /// A frame is on its way to another document.
    pub(crate) fn navigation_begun(&mut self, frame: &str, loader: Option<String>) {
        if frame == self.main_frame {
            if !self.is_navigating {
                self.begun += 1;
            }
            self.is_navigating = true;
            self.loading = loader.or(self.loading.take());
        }
    }

    /// A frame loads nothing any more.
    pub(crate) fn stopped_loading(&mut self, frame: &str) {
        if frame == self.main_frame {
            self.settled();
        }
    }

    /// The main frame's navigation has ended, whichever way.
    fn settled(&mut self) {
        self.is_navigating = false;
        self.loading = None;
    }

    /// A document's request was refused.
    pub(crate) fn refused(&mut self, frame: &str, denial: UrlDenial) {
        if frame == self.main_frame {
            self.refusal = Some(denial);
        }
    }

    /// A request leaves.
    pub(crate) fn request_sent(&mut self, session: Option<&SessionId>, event: &RequestWillBeSent) {
        self.requests.sent(session, event);
        self.count();
    }

    /// A document's answer has begun.
    pub(crate) fn answered(&mut self, request: &str, loader: String, status: u16) {
        if request == loader {
            remember(&mut self.statuses, (loader, status));
        }
    }

    /// A request has its answer, or will have none.
    pub(crate) fn request_ended(&mut self, request: &str, is_failed: bool) {
        self.requests.ended(request);
        if is_failed && self.loading.as_deref() == Some(request) {
            self.settled();
        }
        self.count();
    }

    /// A frame of the page, which had a session of its own, is gone.
    pub(crate) fn session_ended(&mut self, session: &SessionId) {
        self.requests.end_session(session);
        self.count();
    }

    fn count(&mut self) {
        match self.requests.is_empty() {
            true => self.quiet = self.quiet.or_else(|| Some(Instant::now())),
            false => self.quiet = None,
        }
    }

    /// A world has come to be.
    pub(crate) fn world_made(&mut self, world: ContextDescription) {
        if world.aux_data.frame_id != self.main_frame {
            return;
        }
        if world.aux_data.is_default {
            self.page_world = Some(world.unique_id);
        } else if world.name == WORLD {
            self.own_world = Some(world.unique_id);
        }
    }

    /// A world is gone.
    pub(crate) fn world_gone(&mut self, id: &str) {
        self.page_world.take_if(|world| world == id);
        self.own_world.take_if(|world| world == id);
    }

    /// All worlds are gone.
    pub(crate) fn worlds_gone(&mut self) {
        (self.page_world, self.own_world) = (None, None);
    }

    /// Whether the main frame has had this document.
    pub(crate) fn has_had(&self, loader: &str) -> bool {
        self.documents.iter().any(|document| document == loader)
    }

    /// The status of this document's answer.
    pub(crate) fn status(&self, loader: &str) -> Option<u16> {
        self.statuses.iter().find(|(document, _)| document == loader).map(|(_, status)| *status)
    }

    /// Whether the current document has come so far by `now`. Err: when it will have, if that is known.
    pub(crate) fn is_at(&self, milestone: Milestone, now: Instant) -> Result<(), Option<Instant>> {
        let is_there = match milestone {
            Milestone::Commit => true,
            Milestone::DomContentLoaded => self.is_dom_loaded,
            Milestone::Load => self.is_loaded,
            Milestone::NetworkIdle => {
                let idle = self.quiet.ok_or(None)? + IDLE;
                return if idle <= now { Ok(()) } else { Err(Some(idle)) };
            }
        };
        if is_there { Ok(()) } else { Err(None) }
    }
}

fn remember<T>(kept: &mut VecDeque<T>, last: T) {
    if kept.len() >= DOCUMENTS {
        kept.pop_front();
    }
    kept.push_back(last);
}
