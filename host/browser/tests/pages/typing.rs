use std::time::{Duration, Instant};

use abxd_browser::{Failure, TypingOptions};
use serde_json::json;

use crate::rig::{PATIENCE, on_page};

#[test]
fn keys_are_pressed_for_each_character() {
    on_page(async |tab| {
        tab.show(
            "<input id=i><script>keys = []; for (const kind of ['keydown', 'keypress', 'input', 'keyup']) \
             i.addEventListener(kind, event => keys.push([kind, event.key ?? event.data, event.code ?? '', event.keyCode ?? 0]))</script>",
        )
        .await;
        tab.type_text("#i", "aB", false).await.unwrap();
        assert_eq!(tab.eval("i.value").await, "aB");
        let expected = json!([
            ["keydown", "a", "KeyA", 65],
            ["keypress", "a", "KeyA", 97],
            ["input", "a", "", 0],
            ["keyup", "a", "KeyA", 65],
            ["keydown", "B", "KeyB", 66],
            ["keypress", "B", "KeyB", 66],
            ["input", "B", "", 0],
            ["keyup", "B", "KeyB", 66],
        ]);
        assert_eq!(tab.eval("keys").await, expected);
    });
}

#[test]
fn text_is_written_where_the_caret_is() {
    on_page(async |tab| {
        tab.show("<input id=i value=old><textarea id=t></textarea><div id=d contenteditable></div><form onsubmit='window.sent = f.value; return false'><input id=f></form>")
            .await;
        tab.type_text("#i", "abc", false).await.unwrap();
        assert_eq!(tab.eval("i.value").await, "abcold");
        tab.type_text("#t", "one\ntwo é你🤣", false).await.unwrap();
        assert_eq!(tab.eval("t.value").await, "one\ntwo é你🤣");
        tab.type_text("#d", "x!~", false).await.unwrap();
        assert_eq!(tab.eval("d.textContent").await, "x!~");
        tab.type_text("#f", "q\n", false).await.unwrap();
        assert_eq!(tab.eval("window.sent").await, "q");
        tab.type_text("#i", "a\tb", true).await.unwrap();
        assert_eq!(tab.eval("[i.value, t.value]").await, json!(["a", "one\ntwo é你🤣b"]));
    });
}

#[test]
fn clearing_comes_first() {
    on_page(async |tab| {
        tab.show(
            "<input id=i value=old oninput='window.seen = (window.seen ?? 0) + 1'><textarea id=t>old</textarea><div id=d contenteditable>old</div>\
             <input id=n type=number value=5><input id=r type=date value=2026-01-01><label id=l>L <input id=k value=old></label>\
             <select id=s><option>1</select><button id=b>x</button><input id=c type=checkbox>",
        )
        .await;
        for (selector, script) in
            [("#i", "i.value"), ("#t", "t.value"), ("#d", "d.textContent"), ("#n", "n.value"), ("#k", "k.value")]
        {
            tab.type_text(selector, "12", true).await.unwrap();
            assert_eq!(tab.eval(script).await, "12", "{selector}");
        }
        assert_eq!(tab.eval("seen").await, 3);
        tab.type_text("#r", "", true).await.unwrap();
        assert_eq!(tab.eval("r.value").await, "");
        for selector in ["#s", "#b", "#c", "body", "]["] {
            let unfit = tab.type_text(selector, "x", true).await;
            assert!(matches!(unfit, Err(Failure::Unfit(_))), "{selector}: {unfit:?}");
        }
    });
}

#[test]
fn what_takes_no_text_is_no_error() {
    on_page(async |tab| {
        tab.show("<button id=b>x</button><input id=i readonly value=old>").await;
        tab.type_text("#b", "abc", false).await.unwrap();
        tab.type_text("#i", "abc", false).await.unwrap();
        assert_eq!(tab.eval("[b.textContent, i.value]").await, json!(["x", "old"]));
    });
}

#[test]
fn an_element_is_waited_for_and_keys_are_held() {
    on_page(async |tab| {
        tab.show("<script>setTimeout(() => document.body.innerHTML = '<input id=i>', 200)</script>").await;
        let options = TypingOptions { delay: Duration::from_millis(60), clear: false };
        let before = Instant::now();
        tab.browser.type_text(&tab.identity, "#i".into(), "abé".into(), options).await.unwrap();
        assert!(before.elapsed() >= Duration::from_millis(180));
        assert_eq!(tokio::time::timeout(PATIENCE, tab.eval("i.value")).await.unwrap(), "abé");
    });
}
