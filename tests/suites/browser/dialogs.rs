use serde_json::json;

use crate::site::Reply;
use crate::stage::Stage;

#[test]
fn dialogs_are_dismissed() {
    let stage = Stage::new();
    stage.show("<button onclick='alert(1); window.after = confirm(2)'>Ask</button>");
    assert_eq!(stage.eval("[alert('a') ?? null, confirm('b'), prompt('c')]"), json!([null, false, null]));
    stage.click("text=Ask");
    assert_eq!(stage.eval("window.after"), false);
}

#[test]
fn a_page_that_does_not_want_to_be_left_is_left() {
    let stage = Stage::new();
    stage.site.html("/other", "<title>Other</title>");
    stage.show("<script>addEventListener('beforeunload', event => event.preventDefault())</script><p>text</p>");
    stage.click("text=text");
    assert_eq!(stage.go("/other")["title"], "Other");
}

#[test]
fn downloads_are_not_taken() {
    let stage = Stage::new();
    let disposition = "Content-Disposition: attachment; filename=x.bin\r\n".to_owned();
    stage.site.put("/file", Reply::Raw("200 OK", disposition, "x".to_owned()));
    stage.show("<a href=/file>Take</a>");
    stage.click("text=Take");
    assert_eq!(stage.eval("document.title"), "Home");
    stage.navigate(&stage.site.url("/file")).failed_as(500, "Error");
    let left = |folder: std::path::PathBuf| {
        let found = std::process::Command::new("find").arg(folder).args(["-name", "x.bin*"]).output().unwrap();
        String::from_utf8(found.stdout).unwrap()
    };
    assert_eq!(left(stage.server.place("")), "");
}
