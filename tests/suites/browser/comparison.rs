//! The same steps through the server and through the real Playwright, with the same Chromium: both answers are equal.

mod consoles;
mod documents;
mod keyboard;
mod navigation;
mod reference;
mod selectors;
mod values;
mod waits;

use serde_json::{Value, json};

use crate::stage::{Stage, bytes, size};
use reference::Reference;

/// The two, with a site for both.
struct Both {
    stage: Stage,
    reference: Reference,
}

impl Both {
    #[track_caller]
    fn new() -> Self {
        Self { stage: Stage::new(), reference: Reference::start() }
    }

    /// Both on a page with this body.
    #[track_caller]
    fn on(body: &str) -> Self {
        let both = Self::new();
        both.stage.site.html("/", &format!("<!DOCTYPE html><title>Page</title><body>{body}</body>"));
        both.same("navigate", &json!({"url": both.stage.site.url("/"), "wait_until": "load"}));
        both
    }

    /// Do something in both. What it answered.
    #[track_caller]
    fn same(&self, operation: &str, body: &Value) -> Value {
        let theirs = self.reference.does(operation, body);
        let ours = ours(&self.stage, operation, body);
        let message = theirs["message"].as_str().unwrap_or_default();
        let told = match theirs.get("error") {
            Some(error) => json!({"error": error}),
            None => json!({"ok": theirs["ok"]}),
        };
        assert_eq!(ours, told, "abxd, and Playwright {message}\n{operation} {body}");
        ours
    }

    /// Do it in both where it has to succeed.
    #[track_caller]
    fn done(&self, operation: &str, body: &Value) -> Value {
        let answer = self.same(operation, body);
        assert!(answer.get("ok").is_some(), "{operation} {body}: {answer}");
        answer["ok"].clone()
    }

    /// A script's value in both, as JSON text.
    #[track_caller]
    fn value(&self, script: &str) -> Value {
        self.same("evaluate", &json!({"script": script}))
    }
}

/// What the server does, in the reference's terms.
#[track_caller]
fn ours(stage: &Stage, operation: &str, body: &Value) -> Value {
    let answer = match operation {
        "content" => stage.get(&format!("content?type={}", body["type"].as_str().unwrap_or("html"))),
        "console" => stage.get("console"),
        _ => stage.post(operation, body),
    };
    if answer.status != 200 {
        return json!({"error": answer.failed(answer.status)["type"]});
    }
    let told = answer.ok();
    let ok = match operation {
        "click" | "type" => Value::Null,
        "evaluate" => {
            let text = answer.text();
            json!(text.strip_prefix(r#"{"result":"#).unwrap().strip_suffix('}').unwrap())
        }
        "screenshot" => {
            json!({"size": size(&bytes(&told, "image_base64")), "width": told["width"], "height": told["height"]})
        }
        "pdf" => told["pages"].clone(),
        "console" => told["logs"].as_array().unwrap().iter().map(|log| json!([log["type"], log["text"]])).collect(),
        _ => told,
    };
    json!({"ok": ok})
}
