use serde_json::json;

use super::Both;

#[test]
fn content_is_the_same() {
    for body in [
        "",
        "<p>Hello</p><p hidden>no</p><script>1</script><div>tall<br>line</div>",
        "<ul><li>a<li>b</ul><pre> x\n y</pre>",
    ] {
        let both = Both::on(body);
        both.done("content", &json!({"type": "html"}));
        both.done("content", &json!({"type": "text"}));
    }
    let both = Both::new();
    both.done("content", &json!({"type": "html"}));
    both.stage.site.html("/quirks", "<p>no doctype");
    both.stage.site.html(
        "/old",
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'><p>old",
    );
    for path in ["/quirks", "/old"] {
        both.done("navigate", &json!({"url": both.stage.site.url(path), "wait_until": "load"}));
        both.done("content", &json!({"type": "html"}));
        both.done("content", &json!({"type": "text"}));
    }
}

#[test]
fn images_have_the_same_size() {
    let both = Both::on(
        "<h1 id=h>Hello</h1><div id=half style='margin-left: 0.5px; width: 10.5px; height: 20.25px; background: red'></div>\
         <p style='height: 3000px'>tall</p><div id=far style='width: 40px; height: 30px; background: blue'></div><b id=b>x</b>",
    );
    both.done("screenshot", &json!({}));
    both.done("screenshot", &json!({"full_page": false}));
    for selector in ["#h", "#half", "#far", "text=tall", "#b"] {
        both.done("screenshot", &json!({"selector": selector}));
    }
    assert_eq!(both.same("screenshot", &json!({"selector": "#none"}))["error"], "ValueError");
    assert_eq!(both.same("screenshot", &json!({"selector": "[["}))["error"], "Error");
    let wide = Both::on("<div style='width: 2000px; height: 10px; background: red'></div>");
    wide.done("screenshot", &json!({}));
}

#[test]
fn pdfs_have_as_many_pages() {
    let page = "<p style='break-after: page'>page</p>";
    for count in [0, 1, 4] {
        let both = Both::on(&page.repeat(count));
        for format in ["A4", "a6", "Letter", "ledger", "A0"] {
            for landscape in [false, true] {
                both.done("pdf", &json!({"format": format, "landscape": landscape}));
            }
        }
        assert_eq!(both.same("pdf", &json!({"format": "A7"}))["error"], "Error");
    }
}
