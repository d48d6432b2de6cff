use serde_json::json;

use super::Both;

const PAGE: &str = "<style>body > *, li { margin: 2px; display: block }</style>\
  <h1 id=title>Main  title</h1>\
  <button id=save class='primary big' data-testid=save-it>Save</button>\
  <button id=save-as class=primary aria-label='Save under a name'>Save as…</button>\
  <input id=submit type=submit value='Send now'>\
  <ul id=list><li id=one class=item>One</li><li id=two class=item>Two <b id=bold>bold</b></li><li id=three class=item>Three</li></ul>\
  <div id=outer><p id=inner>Deep <i id=i>text</i> here</p></div>\
  <p id=hidden style='display: none'>Three</p>\
  <p id=quote>It's \"quoted\"</p>\
  <p id=spaces>  a   lot\n of   white space </p>\
  <label id=label>Name <input id=name name=who></label>\
  <a id=link href='#x'>Read more</a>\
  <div id=card1 class=card><h2 id=h1>First</h2><button id=b1>Buy</button></div>\
  <div id=card2 class=card><h2 id=h2>Second</h2><button id=b2>Buy</button></div>\
  <div id=host></div>\
  <script>\
    const root = host.attachShadow({mode: 'open'});\
    root.innerHTML = '<span id=shadowed class=item>In the shadow</span><div id=nested></div>';\
    root.getElementById('nested').attachShadow({mode: 'open'}).innerHTML = '<em id=deeper>Deeper still</em>';\
    addEventListener('click', event => { event.preventDefault(); window.last = event.composedPath()[0].id }, true);\
  </script>";

/// Those that match something that can be clicked.
const MATCHING: [&str; 62] = [
    "#save",
    "css=#save",
    "button",
    "button.primary.big",
    ".item",
    "li:nth-child(2)",
    "ul > li + li",
    "ul li ~ li",
    "li:not(#one)",
    "[data-testid=save-it]",
    "data-testid=save-it",
    "id=link",
    "a[href^='#']",
    "text=Save",
    "text=save as",
    "text=\"Save\"",
    "text='Save'",
    "\"Save\"",
    "'Two'",
    "text=Send now",
    "text=main title",
    "text=a lot of white space",
    "text=Deep text here",
    "text=text",
    "text=/^save$/i",
    "text=/T(wo|hree)/",
    "text=In the shadow",
    "text=deeper",
    "text=It's",
    "//li[2]",
    "xpath=//button[1]",
    "(//li)[last()]",
    "//*[@id='outer']/p",
    "#shadowed",
    "#host span",
    "#host #deeper",
    "em",
    "span.item",
    ".item >> nth=2",
    ".item >> nth=-1",
    "#list >> li",
    "#list >> text=Two",
    "css=#card2 >> css=button",
    ".card >> nth=1 >> button",
    "#inner >> ..",
    "li:has-text(\"two\")",
    ".card:has-text('Second') button",
    "button:has-text('Buy')",
    "li:has(b)",
    ".card:has(h2:has-text('Second')) >> button",
    "button:text('as')",
    "button:text-is('Save')",
    "button:text-matches('^save', 'i')",
    "p:visible",
    ".item:visible",
    "p >> visible=true",
    ":is(h1, h2)",
    ":nth-match(button, 2)",
    "role=button[name='Save']",
    "role=button[name=/under/i]",
    "role=heading[level=2]",
    "role=link",
];

/// Those that match nothing, or only what can't be seen.
const VAIN: [&str; 10] = [
    "#none",
    "text=\"save\"",
    "text=Nowhere",
    "\"Sav\"",
    "#hidden",
    "li >> nth=7",
    "#list >> button",
    "//section",
    "css:light=#shadowed",
    "role=button[name='nothing']",
];

/// Those that are none.
const BAD: [&str; 9] =
    ["[[", "nope=x", "button:has-text(", "li >", ">> li", "//[", "li:nonsense(", "#", "role=button[oops]"];

#[test]
fn the_same_element_is_found() {
    let both = Both::on(PAGE);
    for selector in MATCHING {
        both.value("window.last = null; scrollTo(0, 0); 0");
        both.done("click", &json!({"selector": selector, "timeout": 20_000}));
        let found = both.value("window.last");
        assert!(found["ok"].as_str().unwrap().len() > 2, "{selector}: {found}");
    }
}

#[test]
fn what_is_not_there_is_waited_for_in_vain() {
    let both = Both::on(PAGE);
    for selector in VAIN {
        let answer = both.same("click", &json!({"selector": selector, "timeout": 400}));
        assert_eq!(answer["error"], "TimeoutError", "{selector}");
    }
}

#[test]
fn what_is_no_selector_is_an_error() {
    let both = Both::on(PAGE);
    for selector in BAD {
        let answer = both.same("click", &json!({"selector": selector, "timeout": 3000}));
        assert_eq!(answer["error"], "Error", "{selector}");
    }
}
