//! B37: leaked browser processes; a page error taken for a broken browser.

use serde_json::{Value, json};

use crate::harness::processes::look;
use crate::harness::wait;
use crate::stage::{Stage, bytes, kill, size};

/// B37: 20 × navigate and screenshot.
#[test]
fn there_is_one_tree_however_much_is_asked_for() {
    let stage = Stage::new();
    stage.site.html("/", "<title>Home</title><h1>Hello</h1>");
    let mut browser = None;
    for _ in 0..20 {
        assert_eq!(stage.go("/")["status"], 200);
        let image = stage.post("screenshot", &json!({})).ok();
        assert_eq!(size(&bytes(&image, "image_base64")), (1280, 720));
        assert_eq!(*browser.get_or_insert(stage.browser()), stage.browser());
    }
    let tree = stage.tree();
    assert!(tree.iter().all(|process| process.state != 'Z') && tree.len() < 16, "{tree:#?}");
    assert_eq!(stage.profiles().len(), 1);
}

/// B37: the browser is killed by its pid.
#[test]
fn a_browser_that_was_killed_is_replaced() {
    let stage = Stage::new();
    stage.show("here");
    let first = stage.browser();
    kill(first);
    let mut again = stage.navigate(&stage.site.url("/"));
    if again.status != 200 {
        again.failed_as(500, "TargetClosedError");
        again = stage.navigate(&stage.site.url("/"));
    }
    assert_eq!(again.ok()["title"], "Home");
    assert_ne!(stage.browser(), first);
    wait::until_true("nothing is left of the first one", || {
        look(first).is_none() && stage.tree().iter().all(|process| process.state != 'Z') && stage.profiles().len() == 1
    });
}

/// B37: an error of a page's script is an answer.
#[test]
fn an_error_of_a_script_leaves_page_and_browser_alone() {
    let stage = Stage::new();
    stage.show("here");
    stage.eval("window.kept = [1]");
    let browser = stage.browser();
    for script in ["throw new Error('bad')", "nothing.there", "}{"] {
        stage.post("evaluate", &json!({"script": script})).failed_as(500, "Error");
    }
    stage.eval("setTimeout(() => { throw new Error('later') }); 0");
    stage.post("click", &json!({"selector": "#none", "timeout": 200})).failed_as(500, "TimeoutError");
    assert_eq!(stage.eval("window.kept"), json!([1]));
    assert_eq!((stage.browser(), stage.eval("document.title")), (browser, Value::from("Home")));
}
