use std::time::{Duration, Instant};

use abxd_browser::{Failure, Landing, Milestone};

use crate::rig::{PATIENCE, on_page};
use crate::site::Reply;

fn landing(url: String, title: &str, status: u16) -> Landing {
    Landing { url, title: title.to_owned(), status }
}

#[test]
fn a_page_is_told_by_address_title_and_status() {
    on_page(async |tab| {
        tab.html("/", "<title>Home</title>hello");
        assert_eq!(tab.go("/").await, landing(tab.url("/"), "Home", 200));
        assert_eq!(tab.go("/missing").await, landing(tab.url("/missing"), "none", 404));
        tab.put("/here", Reply::Raw("302 Found", "Location: /there\r\n".into(), String::new()));
        tab.html("/there", "<title>There</title>");
        assert_eq!(tab.go("/here#part").await, landing(tab.url("/there#part"), "There", 200));
    });
}

#[test]
fn a_fragment_of_the_same_document_has_status_0() {
    on_page(async |tab| {
        tab.html("/", "<title>Home</title><p id=part>x");
        assert_eq!(tab.go("/#part").await.status, 200);
        assert_eq!(tab.go("/#part").await, landing(tab.url("/#part"), "Home", 0));
        assert_eq!(tab.go("/#other").await, landing(tab.url("/#other"), "Home", 0));
        let idle = tab.navigate(&tab.url("/#part"), Milestone::NetworkIdle, PATIENCE).await;
        assert_eq!(idle.unwrap().status, 0);
    });
}

#[test]
fn each_milestone_is_waited_for_and_no_later_one() {
    on_page(async |tab| {
        // The head comes, the rest never does.
        tab.put("/started", Reply::HangAfter("<title>Started</title>"));
        assert_eq!(tab.navigate(&tab.url("/started"), Milestone::Commit, PATIENCE).await.unwrap().status, 200);
        tab.html("/picture", "<title>Picture</title><img src=/never>");
        tab.put("/never", Reply::Hang);
        let dom = tab.navigate(&tab.url("/picture"), Milestone::DomContentLoaded, PATIENCE).await.unwrap();
        assert_eq!(dom.title, "Picture");
        let soon = Duration::from_millis(700);
        let late = tab.navigate(&tab.url("/picture?2"), Milestone::Load, soon).await;
        assert!(matches!(late, Ok(Landing { status: 404, .. })));
        tab.put("/picture?2", Reply::Html("<title>Picture</title><img src=/never>".into()));
        let late = tab.navigate(&tab.url("/picture?2"), Milestone::Load, soon).await;
        assert!(matches!(late, Err(Failure::TimedOut { .. })), "{late:?}");
    });
}

#[test]
fn the_network_is_idle_half_a_second_after_the_last_answer() {
    on_page(async |tab| {
        let script = "setTimeout(() => fetch('/late').then(() => document.title = 'fetched'), 100)";
        tab.html("/", &format!("<title>Home</title><script>{script}</script>"));
        tab.put("/late", Reply::Slow(Duration::from_millis(300), "x".into()));
        let landed = tab.navigate(&tab.url("/"), Milestone::NetworkIdle, PATIENCE).await.unwrap();
        assert_eq!(landed.title, "fetched");
        tab.html("/busy", "<script>fetch('/never')</script>");
        tab.put("/never", Reply::Hang);
        let busy = tab.navigate(&tab.url("/busy"), Milestone::NetworkIdle, Duration::from_millis(900)).await;
        assert!(matches!(busy, Err(Failure::TimedOut { .. })), "{busy:?}");
    });
}

#[test]
fn a_page_that_is_too_slow_is_not_loaded_any_further() {
    on_page(async |tab| {
        tab.html("/", "<title>Home</title>");
        tab.go("/").await;
        tab.put("/slow", Reply::Hang);
        let before = Instant::now();
        let late = tab.navigate(&tab.url("/slow"), Milestone::Load, Duration::from_millis(500)).await;
        assert_eq!(late.unwrap_err().to_string(), "Timeout 500ms exceeded while waiting for the page to load");
        assert!(before.elapsed() < Duration::from_secs(5));
        assert_eq!(tab.eval("location.pathname").await, "/");
        assert_eq!(tab.go("/").await.status, 200);
    });
}

#[test]
fn what_cannot_be_loaded_is_an_error_of_the_navigation() {
    on_page(async |tab| {
        tab.put("/nothing", Reply::Raw("204 No Content", String::new(), String::new()));
        tab.put("/file", Reply::Raw("200 OK", "Content-Disposition: attachment; filename=x\r\n".into(), "x".into()));
        tab.put("/empty", Reply::Raw("500 Server Error", String::new(), String::new()));
        tab.put("/close", Reply::Close);
        for (url, error) in [
            ("http://unknown.test/".to_owned(), "ERR_EMPTY_RESPONSE"),
            ("http://gone.test/".to_owned(), "ERR_EMPTY_RESPONSE"),
            ("https://gone.test/".to_owned(), "ERR_TUNNEL_CONNECTION_FAILED"),
            (tab.url("/close"), "ERR_EMPTY_RESPONSE"),
            (tab.url("/empty"), "ERR_HTTP_RESPONSE_CODE_FAILURE"),
            (tab.url("/nothing"), "ERR_ABORTED"),
            (tab.url("/file"), "ERR_ABORTED"),
            (format!("http://{}:6666/", tab.host), "ERR_UNSAFE_PORT"),
            (format!("https://{}/", tab.host), "ERR_"),
        ] {
            match tab.navigate(&url, Milestone::Load, PATIENCE).await {
                Err(Failure::Navigation(message)) => assert!(message.contains(error), "{url}: {message}"),
                other => panic!("{url}: {other:?}"),
            }
        }
        tab.html("/", "<title>Home</title>");
        assert_eq!(tab.go("/").await.title, "Home");
    });
}

#[test]
fn a_busy_page_can_be_left() {
    on_page(async |tab| {
        tab.html("/busy", "<title>Busy</title><script>addEventListener('load', () => { while (true); })</script>");
        let late = tab.navigate(&tab.url("/busy"), Milestone::Load, Duration::from_secs(2)).await;
        assert!(matches!(late, Err(Failure::TimedOut { .. }) | Ok(_)), "{late:?}");
        tab.html("/", "<title>Home</title>");
        assert_eq!(tab.go("/").await.title, "Home");
    });
}

#[test]
fn a_page_that_goes_on_by_itself_is_followed() {
    on_page(async |tab| {
        tab.html("/first", "<script>location.replace('/second')</script>");
        tab.html("/second", "<title>Second</title>");
        let landed = tab.navigate(&tab.url("/first"), Milestone::NetworkIdle, PATIENCE).await.unwrap();
        assert_eq!((landed.url, &*landed.title), (tab.url("/second"), "Second"));
    });
}
