use std::time::{Duration, Instant};

use abxd_browser::Failure;
use serde_json::json;

use crate::rig::{PATIENCE, Tab, on_page};
use crate::site::Reply;

const SHORT: Duration = Duration::from_millis(600);

fn is_late(outcome: &Result<(), Failure>) -> bool {
    matches!(outcome, Err(Failure::TimedOut { .. }))
}

#[test]
fn a_click_is_one_of_a_real_mouse() {
    on_page(async |tab| {
        tab.show(
            "<button style='margin: 50px' onclick='done.push(event.type, event.isTrusted, event.button, event.detail, navigator.userActivation.isActive)' \
             onmousedown='done.push(event.type, event.buttons)' onmouseenter='done.push(event.type)'>Go</button>\
             <script>done = []</script>",
        )
        .await;
        tab.click("text=Go", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("done").await, json!(["mouseenter", "mousedown", 1, "click", true, 0, 1, true]));
    });
}

#[test]
fn an_element_is_waited_for_until_it_can_be_clicked() {
    on_page(async |tab| {
        for (style, change) in [
            ("display: none", "b.style.display = 'block'"),
            ("visibility: hidden", "b.style.visibility = 'visible'"),
            ("width: 0; height: 0; padding: 0; border: 0; overflow: hidden", "b.style.cssText = ''"),
            ("position: absolute; animation: a 0.3s linear infinite", "b.style.animation = 'none'"),
        ] {
            tab.show(&format!(
                "<style>@keyframes a {{ to {{ left: 300px }} }}</style>\
                 <button id=b style='{style}' onclick='window.done = true'>Go</button>\
                 <script>setTimeout(() => {{ {change} }}, 300)</script>"
            ))
            .await;
            tab.click("#b", PATIENCE).await.unwrap_or_else(|cause| panic!("{style}: {cause}"));
            assert_eq!(tab.eval("window.done").await, true, "{style}");
        }
        tab.show("<button id=b disabled onclick='window.done = true'>Go</button><script>setTimeout(() => b.disabled = false, 300)</script>")
            .await;
        tab.click("#b", PATIENCE).await.unwrap();
        tab.show("<script>setTimeout(() => document.body.innerHTML = '<button id=b onclick=\"window.done = true\">Go</button>', 300)</script>").await;
        tab.click("#b", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("window.done").await, true);
    });
}

#[test]
fn one_that_never_can_be_is_told_by_what_is_in_the_way() {
    on_page(async |tab| {
        let body = "<button id=hidden style='display: none'>x</button><button id=off disabled>x</button>\
            <fieldset disabled><button id=set>x</button></fieldset><div aria-disabled=true><button id=aria>x</button></div>\
            <div inert><button id=inert>x</button></div>\
            <div style='position: relative'><button id=under>x</button><div id=over style='position: absolute; inset: 0'></div></div>";
        tab.show(body).await;
        for (selector, reason) in [
            ("#none", "nothing matches"),
            ("#hidden", "it is not visible"),
            ("#off", "it is not enabled"),
            ("#set", "it is not enabled"),
            ("#aria", "it is not enabled"),
            ("#inert", "it is inert"),
            ("#under", "<div id=\"over\"> covers it"),
        ] {
            // What covers an element is known once it has been drawn.
            let time = if selector == "#under" { 10 * SHORT } else { 2 * SHORT };
            match tab.click(selector, time).await {
                Err(Failure::TimedOut { what, .. }) => assert!(what.contains(reason), "{selector}: {what}"),
                other => panic!("{selector}: {other:?}"),
            }
        }
        assert!(matches!(tab.click("][", PATIENCE).await, Err(Failure::Unfit(_))));
        assert!(matches!(tab.click("nope=x", PATIENCE).await, Err(Failure::Unfit(_))));
    });
}

#[test]
fn an_element_is_scrolled_to_from_under_what_covers_it() {
    on_page(async |tab| {
        tab.show(
            "<div style='position: fixed; top: 0; left: 0; right: 0; height: 100px; background: red'></div>\
             <div style='position: fixed; bottom: 0; left: 0; right: 0; height: 100px; background: red'></div>\
             <div style='height: 3000px'></div><button id=b onclick='window.done = true'>Go</button><div style='height: 3000px'></div>",
        )
        .await;
        tab.click("#b", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("window.done").await, true);
        tab.show(
            "<div style='height: 100px; overflow: auto; scroll-behavior: smooth'><div style='height: 2000px'></div>\
             <button id=b onclick='window.done = true'>Go</button></div>",
        )
        .await;
        tab.click("#b", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("window.done").await, true);
    });
}

#[test]
fn labels_slots_and_lines_are_clicked_where_they_are() {
    on_page(async |tab| {
        tab.show(
            "<label id=l>Name <input type=checkbox id=c></label><button onclick='window.inner = true'><span id=s>x</span></button>\
             <div id=h></div><a id=a href='#x' style='display: inline'>one<br>two</a>\
             <script>h.attachShadow({mode: 'open'}).innerHTML = '<button id=b><slot></slot></button>'; h.innerHTML = '<i id=i>x</i>'; \
             h.shadowRoot.querySelector('#b').onclick = () => window.shadow = true</script>",
        )
        .await;
        for selector in ["#l", "#s", "#i", "#a"] {
            tab.click(selector, PATIENCE).await.unwrap_or_else(|cause| panic!("{selector}: {cause}"));
        }
        assert_eq!(tab.eval("[c.checked, inner, shadow, location.hash]").await, json!([true, true, true, "#x"]));
        tab.click("#b", PATIENCE).await.unwrap();
    });
}

async fn linked(tab: &Tab, body: &str) {
    tab.put("/next", Reply::Slow(Duration::from_millis(400), "<title>Next</title>".into()));
    tab.put("/never", Reply::Hang);
    tab.show(body).await;
}

#[test]
fn a_navigation_that_a_click_began_is_waited_for() {
    on_page(async |tab| {
        for body in [
            "<a id=x href=/next>Go</a>",
            "<form action=/next><button id=x>Go</button></form>",
            "<button id=x onclick='location.href = \"/next\"'>Go</button>",
            "<button id=x onclick='location.assign(\"/next\")'>Go</button>",
        ] {
            linked(&tab, body).await;
            tab.click("#x", PATIENCE).await.unwrap();
            let url = tab.browser.content(&tab.identity, abxd_browser::ContentForm::Html).await.unwrap().url;
            assert!(url.starts_with(&tab.url("/next")), "{body}: {url}");
        }
        linked(&tab, "<a id=x href=/never>Go</a>").await;
        let before = Instant::now();
        assert!(is_late(&tab.click("#x", SHORT).await));
        assert!(before.elapsed() < Duration::from_secs(5));
        assert!(tab.hits().iter().any(|hit| hit.contains("/never")));
        tab.show("usable").await;
        for body in [
            "<a id=x href=/never target=_blank>Go</a>",
            "<a id=x href='#part'>Go</a>",
            "<a id=x href='mailto:a@b.test'>Go</a>",
            "<a id=x href='javascript:void 0'>Go</a>",
        ] {
            linked(&tab, body).await;
            tab.click("#x", Duration::from_secs(4)).await.unwrap_or_else(|cause| panic!("{body}: {cause}"));
        }
    });
}

#[test]
fn a_click_into_what_is_denied_answers_as_usual() {
    on_page(async |tab| {
        tab.show("<a id=x href='http://10.1.2.3/'>Go</a>").await;
        tab.click("#x", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("document.title").await, "Page");
    });
}

#[test]
fn a_click_that_keeps_the_page_busy_ends_in_time_and_the_page_is_usable() {
    on_page(async |tab| {
        tab.show("<button id=x onclick='while (true);'>Go</button>").await;
        assert!(is_late(&tab.click("#x", SHORT).await));
        assert_eq!(tab.eval("1").await, 1);
        tab.show("<button id=x onclick='window.done = 1'>Go</button>").await;
        tab.click("#x", PATIENCE).await.unwrap();
        assert_eq!(tab.eval("done").await, 1);
    });
}
