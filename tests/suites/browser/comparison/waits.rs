use std::time::{Duration, Instant};

use serde_json::json;

use super::Both;
use crate::site::Reply;

#[test]
fn elements_are_waited_for_alike() {
    for (body, change) in [
        ("<div id=place></div>", "place.outerHTML = '<button id=b>x</button>'"),
        ("<button id=b style='display: none'>x</button>", "b.style.display = ''"),
        ("<button id=b style='visibility: hidden'>x</button>", "b.style.visibility = ''"),
        ("<button id=b disabled>x</button>", "b.disabled = false"),
        ("<fieldset id=f disabled><button id=b>x</button></fieldset>", "f.disabled = false"),
        ("<button id=b>x</button><div id=over style='position: fixed; inset: 0'></div>", "over.remove()"),
        ("<div style='height: 3000px'></div><button id=b>x</button>", "0"),
        ("<button id=b style='transition: margin 0.3s'>x</button>", "b.style.marginLeft = '200px'"),
    ] {
        let script = format!(
            "<script>addEventListener('click', event => {{ window.hit = event.target.id }}); setTimeout(() => {{ {change} }}, 500)</script>"
        );
        let both = Both::on(&format!("{body}{script}"));
        both.done("click", &json!({"selector": "#b", "timeout": 20_000}));
        assert_eq!(both.value("window.hit")["ok"], "\"b\"", "{body}");
    }
}

#[test]
fn what_never_can_be_done_ends_in_its_time() {
    for body in [
        "",
        "<button id=b style='display: none'>x</button>",
        "<button id=b disabled>x</button>",
        "<button id=b aria-disabled=true>x</button>",
        "<button id=b>x</button><div style='position: fixed; inset: 0'></div>",
        "<button id=b style='position: absolute; left: 0'>x</button><script>const move = () => { b.style.left = `${performance.now() % 300}px`; requestAnimationFrame(move) }; move()</script>",
    ] {
        let both = Both::on(body);
        let began = Instant::now();
        let answer = both.same("click", &json!({"selector": "#b", "timeout": 700}));
        assert_eq!(answer["error"], "TimeoutError", "{body}");
        // Both of them, and what starting to wait takes on a machine that is busy.
        assert!(began.elapsed() < Duration::from_secs(20), "{body}: {:?}", began.elapsed());
    }
}

#[test]
fn fields_are_filled_when_they_can_be() {
    let both = Both::on(
        "<input id=late value=old disabled><input id=read value=old readonly><div id=d>x</div><div id=rich contenteditable>old</div>\
         <script>setTimeout(() => { late.disabled = false }, 400)</script>",
    );
    both.done("type", &json!({"selector": "#late", "text": "new", "clear": true, "delay": 0}));
    both.done("type", &json!({"selector": "#rich", "text": "new", "clear": true, "delay": 0}));
    // What can't have the focus leaves it where it is.
    both.value("document.activeElement.blur()");
    both.done("type", &json!({"selector": "#d", "text": "nothing", "delay": 0}));
    both.done("type", &json!({"selector": "#read", "text": "nothing", "delay": 0}));
    assert_eq!(both.same("type", &json!({"selector": "#d", "text": "x", "clear": true}))["error"], "Error");
    assert_eq!(
        both.value("[late.value, rich.textContent, read.value, d.textContent]")["ok"],
        r#"["new","new","old","x"]"#
    );
}

#[test]
fn a_navigation_that_a_click_begins_is_waited_for_alike() {
    let both = Both::on(
        "<a id=next href=/next>next</a><a id=hash href='#here'>hash</a><a id=new href=/next target=_blank>new</a><a id=never href=/never>never</a>",
    );
    both.stage.site.put("/next", Reply::Slow(Duration::from_millis(700), "<title>Next</title>next".to_owned()));
    both.stage.site.put("/never", Reply::Hang);
    both.done("click", &json!({"selector": "#hash"}));
    assert_eq!(both.value("location.hash")["ok"], "\"#here\"");
    both.done("click", &json!({"selector": "#new"}));
    assert_eq!(both.value("document.title")["ok"], "\"Page\"");
    both.done("click", &json!({"selector": "#next"}));
    assert_eq!(both.value("location.pathname")["ok"], "\"/next\"");
}
