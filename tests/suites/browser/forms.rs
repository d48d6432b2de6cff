use std::time::{Duration, Instant};

use serde_json::json;

use crate::site::Reply;
use crate::stage::Stage;

#[test]
fn a_form_is_filled_in_and_sent() {
    let stage = Stage::new();
    stage.site.html("/sent", "<title>Sent</title>thanks");
    stage.show(
        "<form action=/sent method=post><input name=who><textarea name=what></textarea>\
         <label>Yes<input type=checkbox name=yes></label><button>Send it</button></form>",
    );
    stage.type_text("[name=who]", "Ada & Eve");
    stage.type_text("textarea", "x=1\ny");
    stage.click("text=Yes");
    stage.click("\"Send it\"");
    stage.until("document.title", &json!("Sent"));
    let hits = stage.site.hits();
    let sent = hits.iter().find(|hit| hit.starts_with("POST ")).unwrap();
    assert!(sent.ends_with("/sent who=Ada+%26+Eve&what=x%3D1%0D%0Ay&yes=on"), "{sent}");
}

#[test]
fn enter_sends_a_form_and_clear_empties_a_field() {
    let stage = Stage::new();
    stage.site.html("/find", "<title>Found</title>");
    stage.show("<form action=/find><input name=q value=old></form><p id=p>text</p>");
    stage.post("type", &json!({"selector": "input", "text": "new", "clear": true, "delay": 0})).ok();
    assert_eq!(stage.eval("document.querySelector('input').value"), "new");
    stage.post("type", &json!({"selector": "#p", "text": "x", "clear": true})).failed_as(500, "Error");
    assert_eq!(
        stage.post("type", &json!({"selector": "input", "text": "\n", "delay": 0})).ok(),
        json!({"typed": true, "selector": "input", "text": "\n"})
    );
    stage.until("location.search", &json!("?q=new"));
}

#[test]
fn an_element_is_waited_for_and_one_that_never_comes_is_not_for_ever() {
    let stage = Stage::new();
    stage.show(
        "<button id=late style='display: none' onclick='window.done = true'>Late</button>\
         <button id=off disabled>Off</button><script>\
         setTimeout(() => { late.style.display = '' }, 700)</script>",
    );
    assert_eq!(stage.post("click", &json!({"selector": "#late"})).ok(), json!({"clicked": true, "selector": "#late"}));
    assert_eq!(stage.eval("window.done"), true);
    for selector in ["#off", "#none", "text=nowhere"] {
        let began = Instant::now();
        stage.post("click", &json!({"selector": selector, "timeout": 500})).failed_as(500, "TimeoutError");
        assert!(began.elapsed() < Duration::from_secs(15), "{selector}");
    }
    for selector in ["[[", "nope=1"] {
        stage.post("click", &json!({"selector": selector})).failed_as(500, "Error");
    }
}

#[test]
fn a_click_waits_for_the_page_that_it_leads_to() {
    let stage = Stage::new();
    stage.site.put("/next", Reply::Slow(Duration::from_millis(800), "<title>Next</title>".to_owned()));
    stage.site.put("/never", Reply::Hang);
    stage.show("<a id=next href=/next>next</a> <a id=never href=/never>never</a>");
    stage.click("#next");
    assert_eq!(stage.address(), stage.site.url("/next"));
    stage.go("/");
    stage.post("click", &json!({"selector": "#never", "timeout": 800})).failed_as(500, "TimeoutError");
    assert_eq!(stage.go("/")["title"], "Home");
}
