//! What pages and their parts tell, put where it belongs.

use serde_json::value::RawValue;

use super::read;
use crate::cdp::protocol::{inspector, log, network, page, runtime};
use crate::cdp::{Event, Reactions, SessionId};
use crate::page::State;

/// The group of objects that the console has told of.
const CONSOLE: runtime::ReleaseObjectGroup = runtime::ReleaseObjectGroup { object_group: "console" };

/// An event of an identity's page.
pub(super) fn of_page(
    state: &State,
    session: &SessionId,
    method: &str,
    params: &RawValue,
    reactions: &mut Reactions<'_>,
) {
    match method {
        page::FrameNavigated::METHOD => {
            read(params, |event: page::FrameNavigated| state.change(|facts| facts.navigated(&event.frame)));
        }
        page::NavigatedWithinDocument::METHOD => read(params, |event: page::NavigatedWithinDocument| {
            state.change(|facts| facts.moved_within(&event.frame_id, event.url));
        }),
        page::LifecycleEvent::METHOD => read(params, |event: page::LifecycleEvent| {
            state.change(|facts| facts.reached(&event.frame_id, &event.loader_id, &event.name));
        }),
        page::FrameRequestedNavigation::METHOD => read(params, |event: page::FrameRequestedNavigation| {
            if event.disposition == "currentTab" {
                state.change(|facts| facts.navigation_begun(&event.frame_id, None));
            }
        }),
        page::FrameStartedNavigating::METHOD => read(params, |event: page::FrameStartedNavigating| {
            state.change(|facts| facts.navigation_begun(&event.frame_id, Some(event.loader_id)));
        }),
        page::FrameStoppedLoading::METHOD => read(params, |event: page::FrameStoppedLoading| {
            state.change(|facts| facts.stopped_loading(&event.frame_id));
        }),
        network::ResponseReceived::METHOD => read(params, |event: network::ResponseReceived| {
            state.change(|facts| facts.answered(&event.request_id, event.loader_id, event.response.status));
        }),
        runtime::ExecutionContextCreated::METHOD => read(params, |event: runtime::ExecutionContextCreated| {
            state.change(|facts| facts.world_made(event.context));
        }),
        runtime::ExecutionContextDestroyed::METHOD => read(params, |event: runtime::ExecutionContextDestroyed| {
            state.change(|facts| facts.world_gone(&event.unique_id));
        }),
        runtime::ExecutionContextsCleared::METHOD => state.change(|facts| facts.worlds_gone()),
        inspector::TargetCrashed::METHOD => state.change(|facts| facts.is_lost = true),
        _ => of_part(state, session, method, params, reactions),
    }
}

/// An event of such a page, or of a frame or worker of its.
pub(super) fn of_part(
    state: &State,
    session: &SessionId,
    method: &str,
    params: &RawValue,
    reactions: &mut Reactions<'_>,
) {
    match method {
        network::RequestWillBeSent::METHOD => read(params, |event: network::RequestWillBeSent| {
            state.change(|facts| facts.request_sent(Some(session), &event));
        }),
        network::LoadingFinished::METHOD => read(params, |event: network::LoadingFinished| {
            state.change(|facts| facts.request_ended(&event.request_id, false));
        }),
        network::LoadingFailed::METHOD => read(params, |event: network::LoadingFailed| {
            state.change(|facts| facts.request_ended(&event.request_id, true));
        }),
        runtime::ConsoleApiCalled::METHOD => read(params, |event: runtime::ConsoleApiCalled| {
            // What a document says that is no more has no context.
            if event.execution_context_id != 0 {
                state.console().called(&event);
            }
            if event.args.iter().any(|argument| argument.object_id.is_some()) {
                reactions.say(Some(session), &CONSOLE);
            }
        }),
        runtime::ExceptionThrown::METHOD => {
            read(params, |event: runtime::ExceptionThrown| state.console().thrown(&event.exception_details));
        }
        log::EntryAdded::METHOD => read(params, |event: log::EntryAdded| state.console().logged(event.entry)),
        _ => {}
    }
}

/// A dialog is open. It is dismissed; a page that asks whether it may be left is left.
pub(super) fn answer_dialog(session: &str, event: &page::JavascriptDialogOpening, reactions: &mut Reactions<'_>) {
    reactions.say(Some(session), &page::HandleJavaScriptDialog { accept: event.kind == "beforeunload" });
}
