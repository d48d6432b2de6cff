use std::sync::Arc;
use std::time::Duration;

use abxd_guards::url::UrlDenial;
use tokio::time::Instant;

use super::{Facts, Look, Milestone, State, Vain};
use crate::cdp::protocol::network::RequestWillBeSent;
use crate::cdp::protocol::page::Frame;
use crate::cdp::protocol::runtime::ContextDescription;

fn frame(id: &str, loader: &str, url: &str) -> Frame {
    Frame { id: id.into(), parent_id: None, loader_id: loader.into(), url: url.into(), url_fragment: None }
}

fn request(id: &str, loader: &str, url: &str) -> RequestWillBeSent {
    let json = serde_json::json!({"requestId": id, "loaderId": loader, "request": {"url": url}});
    serde_json::from_value(json).unwrap()
}

fn at(facts: &Facts, milestone: Milestone) -> Result<(), Option<Instant>> {
    facts.is_at(milestone, Instant::now())
}

fn opened() -> Facts {
    let mut facts = Facts::default();
    facts.opened(&frame("M", "L0", "about:blank"));
    facts
}

#[test]
fn milestones_are_those_of_the_current_document() {
    let mut facts = opened();
    facts.reached("M", "L0", "load");
    assert_eq!(at(&facts, Milestone::Load), Ok(()));
    facts.navigated(&frame("M", "L1", "http://a/"));
    assert_eq!((at(&facts, Milestone::Commit), at(&facts, Milestone::Load)), (Ok(()), Err(None)));
    facts.reached("M", "L0", "load");
    facts.reached("F", "L1", "load");
    assert_eq!(at(&facts, Milestone::Load), Err(None));
    facts.reached("M", "L1", "DOMContentLoaded");
    assert_eq!(at(&facts, Milestone::DomContentLoaded), Ok(()));
    assert!(facts.has_had("L0") && facts.has_had("L1") && !facts.has_had("L2"));
}

#[test]
fn frames_below_are_not_the_page() {
    let mut facts = opened();
    facts.navigated(&Frame { parent_id: Some("M".into()), ..frame("F", "L1", "http://frame/") });
    facts.moved_within("F", "http://frame/#x".into());
    facts.navigation_begun("F", None);
    facts.refused("F", UrlDenial::Denied);
    assert_eq!((&*facts.url, facts.is_navigating, facts.begun, facts.refusal), ("about:blank", false, 0, None));
}

#[test]
fn a_navigation_ends_with_its_document_its_failure_or_within() {
    for end in [
        (|facts: &mut Facts| facts.navigated(&frame("M", "L1", "http://a/"))) as fn(&mut Facts),
        |facts| facts.moved_within("M", "about:blank#x".into()),
        |facts| facts.request_ended("L1", true),
        |facts| facts.stopped_loading("M"),
    ] {
        let mut facts = opened();
        facts.navigation_begun("M", None);
        facts.navigation_begun("M", Some("L1".into()));
        assert_eq!((facts.is_navigating, facts.begun), (true, 1));
        facts.request_ended("L9", true);
        facts.request_ended("L1", false);
        assert!(facts.is_navigating);
        end(&mut facts);
        assert!(!facts.is_navigating);
    }
}

#[test]
fn the_network_is_idle_when_nothing_has_been_in_flight_for_a_while() {
    let mut facts = opened();
    facts.request_sent(None, &request("L1", "L1", "http://a/"));
    facts.request_sent(None, &request("R0", "L0", "http://old/"));
    facts.navigated(&frame("M", "L1", "http://a/"));
    facts.request_sent(None, &request("R1", "L1", "http://a/x"));
    facts.request_sent(None, &request("R2", "L1", "http://a/favicon.ico"));
    facts.request_ended("L1", false);
    assert_eq!(at(&facts, Milestone::NetworkIdle), Err(None));
    facts.request_ended("R1", true);
    let when = at(&facts, Milestone::NetworkIdle).unwrap_err().unwrap();
    assert_eq!(facts.is_at(Milestone::NetworkIdle, when - Duration::from_millis(1)), Err(Some(when)));
    assert_eq!(facts.is_at(Milestone::NetworkIdle, when), Ok(()));
    assert!(when > Instant::now() && when <= Instant::now() + Duration::from_millis(500));
    facts.request_sent(Some(&"S".into()), &request("R3", "L2", "http://a/y"));
    assert_eq!(at(&facts, Milestone::NetworkIdle), Err(None));
    facts.session_ended(&"S".into());
    assert!(at(&facts, Milestone::NetworkIdle).unwrap_err().is_some());
}

#[test]
fn worlds_are_those_of_the_main_frame() {
    let world = |id: &str, frame: &str, name: &str, is_default: bool| -> ContextDescription {
        let aux = serde_json::json!({"isDefault": is_default, "frameId": frame});
        serde_json::from_value(serde_json::json!({"uniqueId": id, "name": name, "auxData": aux})).unwrap()
    };
    let mut facts = opened();
    facts.world_made(world("1", "M", "", true));
    facts.world_made(world("2", "M", "abxd", false));
    facts.world_made(world("3", "F", "abxd", false));
    facts.world_made(world("4", "M", "other", false));
    assert_eq!((facts.page_world.as_deref(), facts.own_world.as_deref()), (Some("1"), Some("2")));
    facts.world_gone("2");
    assert_eq!((facts.page_world.as_deref(), facts.own_world.as_deref()), (Some("1"), None));
    facts.worlds_gone();
    assert_eq!(facts.page_world, None);
}

#[test]
fn the_status_is_that_of_the_document_itself() {
    let mut facts = opened();
    facts.answered("R1", "L1".into(), 404);
    assert_eq!(facts.status("L1"), None);
    facts.answered("L1", "L1".into(), 200);
    assert_eq!(facts.status("L1"), Some(200));
}

#[tokio::test]
async fn who_waits_is_woken_by_changes_and_by_time() {
    let state = Arc::new(State::new(Arc::default()));
    let end = Instant::now() + Duration::from_secs(1);
    let address = |facts: &Facts| if facts.url.is_empty() { Look::Later } else { Look::Found(facts.url.clone()) };
    let waiting = tokio::spawn({
        let state = state.clone();
        async move { state.until(end, address).await }
    });
    tokio::task::yield_now().await;
    state.change(|facts| facts.url = "a".into());
    assert_eq!(waiting.await.unwrap(), Ok("a".to_owned()));
    let never = state.until(end, |_| Look::<()>::At(Instant::now() + Duration::from_millis(7)));
    assert_eq!(never.await, Err(Vain::TimedOut));
    state.change(|facts| facts.is_lost = true);
    assert_eq!(state.until(Instant::now() + Duration::from_secs(9), address).await, Err(Vain::Lost));
    state.lost().await;
}
