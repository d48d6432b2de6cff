use serde_json::json;

use crate::stage::{Stage, bytes, size};

#[test]
fn content_is_html_or_what_can_be_read() {
    let stage = Stage::new();
    assert_eq!(
        stage.get("content").ok(),
        json!({"content": "<html><head></head><body></body></html>", "url": "about:blank", "title": ""})
    );
    stage.show("<p>Hello</p><p hidden>unseen</p><script>1</script>");
    let text = stage.get("content?type=TEXT").ok();
    assert_eq!(text, json!({"content": "Hello", "url": stage.site.url("/"), "title": "Home"}));
    let html = stage.get("content?type=other").ok();
    assert!(html["content"].as_str().unwrap().starts_with("<!DOCTYPE html><html><head><title>Home</title>"), "{html}");
}

#[test]
fn images_are_of_the_page_or_an_element() {
    let stage = Stage::new();
    stage.show("<style>body { margin: 0 }</style><div id=box style='width: 300px; height: 40px'></div><div style='height: 2960px'></div>");
    let whole = stage.post("screenshot", &json!({})).ok();
    assert_eq!(
        (size(&bytes(&whole, "image_base64")), &whole["width"], &whole["height"]),
        ((1280, 3000), &json!(1280), &json!(720))
    );
    let view = stage.post("screenshot", &json!({"full_page": false})).ok();
    assert_eq!(size(&bytes(&view, "image_base64")), (1280, 720));
    let element = stage.post("screenshot", &json!({"selector": "#box"})).ok();
    assert_eq!(
        (size(&bytes(&element, "image_base64")), &element["width"], &element["height"]),
        ((300, 40), &json!(300), &json!(40))
    );
    let jpeg = stage.post("screenshot", &json!({"format": "JPEG", "full_page": false})).ok();
    assert_eq!(&bytes(&jpeg, "image_base64")[..3], b"\xff\xd8\xff");
    stage.post("screenshot", &json!({"selector": "#nope"})).failed_as(404, "ValueError");
    stage.post("screenshot", &json!({"selector": "[["})).failed_as(500, "Error");
    stage.post("screenshot", &json!({"selector": 5})).failed_as(500, "ValidationError");
}

#[test]
fn a_pdf_has_its_pages_and_its_marks_are_counted() {
    let stage = Stage::new();
    stage.show("<p>1</p><p style='break-before: page'>2</p>");
    for (body, marks) in [(json!({}), 3), (json!({"format": "tabloid", "landscape": true}), 3)] {
        let printed = stage.post("pdf", &body).ok();
        assert_eq!(&bytes(&printed, "pdf_base64")[..5], b"%PDF-");
        assert_eq!(printed["pages"], marks);
    }
    for format in [json!("A7"), json!(null), json!(4)] {
        stage.post("pdf", &json!({"format": format})).failed_as(500, "Error");
    }
}

#[test]
fn the_console_is_read_once_and_outlives_pages() {
    let stage = Stage::new();
    assert_eq!(stage.get("console").ok(), json!({"logs": []}));
    assert!(stage.browsers().is_empty(), "asking for a console starts nothing");
    stage.show("<button onclick=\"console.log('click', 1, {a: 1})\">Go</button>");
    stage.click("text=Go");
    stage.eval("console.warn('careful'); setTimeout(() => { throw new Error('late') })");
    stage.go("/");
    let logs = stage.console(3);
    let said: Vec<_> = logs.iter().map(|log| (log["type"].as_str().unwrap(), log["text"].as_str().unwrap())).collect();
    assert_eq!(said[..2], [("log", "click 1 {a: 1}"), ("warning", "careful")]);
    assert!(said[2].0 == "error" && said[2].1.starts_with("Error: late"), "{said:?}");
    assert!(logs.iter().all(|log| log["timestamp"].as_f64().unwrap() > 1.7e9), "{logs:?}");
    assert_eq!(stage.get("console").ok(), json!({"logs": []}));
}
