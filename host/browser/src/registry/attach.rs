//! Targets that come and go.

use super::roles::{NewPage, Role};
use super::{Registry, WATCHED};
use crate::cdp::protocol::target::{AttachedToTarget, CloseTarget, DetachedFromTarget, TargetInfo};
use crate::cdp::protocol::{log, network, page, runtime};
use crate::cdp::{Reactions, SessionId};

/// Tells what requests do, and keeps none of their bodies.
pub(crate) const REQUESTS: network::Enable = network::Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0 };

impl Registry {
    /// There is a session with a new target, which waits.
    pub(super) fn attached(&self, parent: Option<&str>, event: AttachedToTarget, reactions: &mut Reactions<'_>) {
        let session = SessionId::from(event.session_id);
        let target = event.target_info;
        match &*target.kind {
            "page" => self.page_attached(&session, &target, reactions),
            "iframe" | "worker" if self.roles(|roles| roles.new_part(&session, parent)) => {
                reactions.say(Some(&session), &WATCHED);
                reactions.say(Some(&session), &REQUESTS);
                reactions.say(Some(&session), &runtime::Enable {});
                reactions.say(Some(&session), &log::Enable {});
                // A worker has no such thing, and says so.
                reactions.say(Some(&session), &page::Enable {});
                go_on(&session, reactions);
            }
            _ => let_be(&session, reactions),
        }
    }

    fn page_attached(&self, session: &SessionId, target: &TargetInfo, reactions: &mut Reactions<'_>) {
        let context = target.browser_context_id.as_deref().unwrap_or_default();
        match self.roles(|roles| roles.new_page(session, context)) {
            NewPage::Awaited => {}
            NewPage::Popup => {
                // For its dialogs.
                reactions.say(Some(session), &page::Enable {});
                go_on(session, reactions);
            }
            NewPage::TooMany => {
                // One that waits can't be closed while its opener waits for it.
                go_on(session, reactions);
                reactions.say(None, &CloseTarget { target_id: &target.target_id });
            }
            NewPage::Stray => let_be(session, reactions),
        }
    }

    /// A session has ended, and its target with it.
    pub(super) fn detached(&self, event: &DetachedFromTarget) {
        let session = SessionId::from(&*event.session_id);
        match self.roles(|roles| roles.ended(&session)) {
            Some(Role::Page(state)) => state.change(|facts| facts.is_lost = true),
            Some(Role::Part(state)) => state.change(|facts| facts.session_ended(&session)),
            Some(Role::Popup(_)) | None => {}
        }
    }
}

fn go_on(session: &str, reactions: &mut Reactions<'_>) {
    reactions.say(Some(session), &runtime::RunIfWaitingForDebugger {});
}

/// The target is nobody's. Its requests are held back all the same. The session stays: a worker whose session ends before it
/// was let go on waits for ever.
fn let_be(session: &str, reactions: &mut Reactions<'_>) {
    go_on(session, reactions);
}
