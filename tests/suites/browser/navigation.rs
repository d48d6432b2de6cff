use std::time::{Duration, Instant};

use serde_json::json;

use crate::site::Reply;
use crate::stage::Stage;

#[test]
fn a_page_is_loaded_with_its_title_and_status() {
    let stage = Stage::new();
    stage.site.html("/", "<title>Home</title><h1>Hello</h1>");
    let url = stage.site.url("/");
    assert_eq!(stage.post("navigate", &json!({"url": url})).ok(), json!({"url": url, "title": "Home", "status": 200}));
    let missing = stage.go("/missing");
    assert_eq!((&missing["title"], &missing["status"]), (&json!("NF"), &json!(404)));
    let fragment = stage.site.url("/#part");
    for status in [200, 0] {
        let landed = stage.navigate(&fragment).ok();
        assert_eq!((&landed["status"], &landed["url"]), (&json!(status), &json!(fragment)));
    }
}

#[test]
fn redirects_are_followed_to_the_last_one() {
    let stage = Stage::new();
    stage.site.redirect("/a", "/b");
    stage.site.redirect("/b", &stage.site.url_at(crate::site::OTHER_NAME, "/c"));
    stage.site.html("/c", "<title>C</title>");
    let landed = stage.go("/a");
    assert_eq!(landed["url"], stage.site.url_at(crate::site::OTHER_NAME, "/c"));
    assert_eq!((&landed["title"], &landed["status"]), (&json!("C"), &json!(200)));
}

#[test]
fn each_word_of_wait_until_waits_for_its_own() {
    let stage = Stage::new();
    stage.site.put("/late.png", Reply::Slow(Duration::from_millis(1500), "x".to_owned()));
    stage.site.html("/", "<title>T</title><img src=/late.png>");
    let url = stage.site.url("/");
    let loaded = "document.readyState";
    stage.post("navigate", &json!({"url": url, "wait_until": "domcontentloaded"})).ok();
    assert_eq!(stage.eval(loaded), "interactive");
    stage.post("navigate", &json!({"url": url, "wait_until": "load"})).ok();
    assert_eq!(stage.eval(loaded), "complete");
    stage.post("navigate", &json!({"url": url, "wait_until": "Load"})).failed_as(500, "Error");
}

#[test]
fn a_slow_page_runs_out_of_its_time_and_nothing_of_it_disturbs_the_next() {
    let stage = Stage::new();
    stage.site.put("/slow", Reply::Slow(Duration::from_secs(20), "late".to_owned()));
    stage.site.put("/hang", Reply::Hang);
    stage.site.put("/half", Reply::HangAfter("<title>Half</title>"));
    stage.show("here");
    for path in ["/slow", "/hang", "/half"] {
        let began = Instant::now();
        let body = json!({"url": stage.site.url(path), "wait_until": "load", "timeout": 600});
        stage.post("navigate", &body).failed_as(500, "TimeoutError");
        assert!(began.elapsed() < Duration::from_secs(15), "{path}");
        assert_eq!(stage.go("/")["title"], "Home");
    }
}

#[test]
fn what_is_no_page_is_an_error() {
    let stage = Stage::new();
    stage.site.put("/nothing", Reply::Raw("204 No Content", String::new(), String::new()));
    stage.site.put("/file", Reply::Raw("200 OK", "Content-Disposition: attachment\r\n".to_owned(), "x".to_owned()));
    stage.site.put("/empty", Reply::Raw("500 Server Error", String::new(), String::new()));
    stage.show("here");
    for path in ["/nothing", "/file", "/empty"] {
        let failed = stage.navigate(&stage.site.url(path)).failed_as(500, "Error");
        assert!(failed.get("code").is_none(), "{failed}");
    }
    stage.navigate("http://93.184.216.34:1/").failed_as(500, "Error");
    stage.navigate("http://nowhere.test/").failed_as(500, "Error");
    assert_eq!(stage.go("/")["title"], "Home");
}
