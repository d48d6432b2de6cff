use std::time::Duration;

use serde_json::json;

use super::Both;
use crate::site::{OTHER_NAME, Reply};

#[test]
fn milestones_are_reached_alike() {
    let both = Both::new();
    let site = &both.stage.site;
    site.put("/late.png", Reply::Slow(Duration::from_secs(3), "x".to_owned()));
    site.put("/later", Reply::Slow(Duration::from_secs(3), "x".to_owned()));
    site.html("/", "<title>T</title><img src=/late.png><script>addEventListener('load', () => fetch('/later').then(() => { window.fetched = true }))</script>");
    for (wait_until, script) in [
        ("domcontentloaded", "document.readyState"),
        ("load", "document.readyState"),
        ("networkidle", "[document.readyState, window.fetched]"),
    ] {
        both.done("navigate", &json!({"url": site.url("/"), "wait_until": wait_until}));
        both.value(script);
    }
    both.done("navigate", &json!({"url": site.url("/"), "wait_until": "commit"}));
    for wait_until in ["LOAD", "", "networkidle2"] {
        let answer = both.same("navigate", &json!({"url": site.url("/"), "wait_until": wait_until}));
        assert_eq!(answer["error"], "Error", "{wait_until}");
    }
}

#[test]
fn pages_answer_alike() {
    let both = Both::new();
    let site = &both.stage.site;
    site.html("/", "<title> Two   words </title><p id=p>x");
    site.redirect("/a", "/b");
    site.redirect("/b", &site.url_at(OTHER_NAME, "/"));
    site.html("/goes", "<script>location.replace('/?gone')</script>");
    site.html("/pushes", "<script>history.pushState(0, '', '/pushed')</script><title>P</title>");
    site.put(
        "/teapot",
        Reply::Raw("418 I'm a teapot", "Content-Type: text/html\r\n".to_owned(), "<title>Tea</title>".to_owned()),
    );
    site.put("/text", Reply::Raw("200 OK", "Content-Type: text/plain\r\n".to_owned(), "plain".to_owned()));
    site.put("/json", Reply::Raw("200 OK", "Content-Type: application/json\r\n".to_owned(), "{}".to_owned()));
    for path in ["/", "/#p", "/#p", "/#other", "/?q=ü", "/a", "/missing", "/teapot", "/text", "/json", "/pushes"] {
        both.done("navigate", &json!({"url": site.url(path), "wait_until": "load"}));
    }
    both.done("navigate", &json!({"url": site.url("/goes")}));
}

#[test]
fn what_does_not_load_fails_alike() {
    let both = Both::new();
    let site = &both.stage.site;
    site.html("/", "<title>Home</title>");
    site.put("/nothing", Reply::Raw("204 No Content", String::new(), String::new()));
    site.put("/file", Reply::Raw("200 OK", "Content-Disposition: attachment\r\n".to_owned(), "x".to_owned()));
    site.put("/empty", Reply::Raw("500 Server Error", String::new(), String::new()));
    site.put("/hang", Reply::Hang);
    site.put("/half", Reply::HangAfter("<title>Half</title>half"));
    for path in ["/nothing", "/file", "/empty"] {
        let answer = both.same("navigate", &json!({"url": site.url(path), "wait_until": "load"}));
        assert_eq!(answer["error"], "Error", "{path}");
    }
    let port = "http://93.184.216.34:1/";
    assert_eq!(both.same("navigate", &json!({"url": port, "wait_until": "load"}))["error"], "Error");
    for path in ["/hang", "/half"] {
        let answer = both.same("navigate", &json!({"url": site.url(path), "wait_until": "load", "timeout": 600}));
        assert_eq!(answer["error"], "TimeoutError", "{path}");
        // The reference's page goes on loading, and may interrupt what follows.
        let _ = both.reference.does("navigate", &json!({"url": site.url("/"), "wait_until": "load"}));
        both.done("navigate", &json!({"url": site.url("/"), "wait_until": "load"}));
    }
}
