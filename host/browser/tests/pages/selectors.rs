use abxd_browser::Failure;

use crate::rig::{PATIENCE, Tab, on_page};

const BODY: &str = r##"
<main>
  <section class=card data-testid=first><h2>Cards</h2><p id=p1>Hello <b>World</b></p><button>Save  all</button></section>
  <section class=card data-testid=second><h2>More</h2><p id=p2>hello world</p><button disabled>Save</button></section>
  <input type=submit value="Send it"><a href="#x" id=link>Go &gt;&gt; on</a>
  <label>Name <input id=name aria-label="Your name"></label><input type=checkbox id=check checked aria-label=Check>
  <ul><li>one</li><li>two</li><li class=hidden style="display:none">three</li><li>four "quoted"</li></ul>
  <x-box id=box></x-box>
</main>
<script>
  box.attachShadow({mode: 'open'}).innerHTML = '<div class=inner><p id=deep>Deep text</p><slot></slot></div>';
  document.addEventListener('click', event => { event.preventDefault(); const hit = event.composedPath()[0]; window.hit = hit.id || hit.dataset.testid || hit.textContent.trim() || hit.value; }, true);
</script>"##;

/// What a selector finds first, by id, test id or text.
async fn found(tab: &Tab, selector: &str) -> Result<String, Failure> {
    tab.eval("window.hit = null").await;
    tab.click(selector, std::time::Duration::from_millis(1500)).await?;
    Ok(tab.eval("window.hit").await.as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_engine_finds_what_playwright_would() {
    on_page(async |tab| {
        tab.show(BODY).await;
        for (selector, expected) in [
            ("#p1", "p1"),
            ("css=#p2", "p2"),
            ("#p1 >> css=b", "World"),
            ("text=hello world", "p1"),
            ("text=Hello", "p1"),
            ("\"Hello\"", "p1"),
            ("'hello world'", "p2"),
            ("text=/^SAVE\\s/i", "Save  all"),
            ("text=save all", "Save  all"),
            ("text=Send", "Send it"),
            ("text=Go >> nth=0", "link"),
            ("xpath=//p[@id='p2']", "p2"),
            ("//button", "Save  all"),
            ("//section >> ..//p >> nth=1", "p2"),
            ("(//li)[2]", "two"),
            ("id=p2", "p2"),
            ("data-testid=second >> p", "p2"),
            ("li >> nth=1", "two"),
            ("li >> nth=-1", "four \"quoted\""),
            ("ul >> li >> visible=true >> nth=2", "four \"quoted\""),
            (".card:has-text(\"more\") p", "p2"),
            ("p:text(\"hello world\")", "p1"),
            ("li:text-is(\"two\")", "two"),
            ("li:text-matches(\"^f.*d\\\"$\")", "four \"quoted\""),
            ("li:visible:not(:text(\"one\")):not(:text(\"two\"))", "four \"quoted\""),
            (".card:has(button:disabled) > p", "p2"),
            ("section:has(> #p2) h2", "More"),
            (":is(h3, h2):below(#p1)", "More"),
            ("li:right-of(#nothing), li:nth-of-type(2)", "two"),
            (":nth-match(li, 2)", "two"),
            ("#deep", "deep"),
            ("x-box .inner p", "deep"),
            ("main > x-box #deep", "deep"),
            ("text=Deep", "deep"),
            ("h2 + p", "p1"),
            ("h2 ~ button", "Save  all"),
            ("[data-testid='second'] h2", "More"),
            ("role=button[name=\"Save all\"]", "Save  all"),
            ("role=link", "link"),
            ("role=textbox[name=/your/i]", "name"),
            ("role=checkbox[checked]", "check"),
            ("role=heading[level=2] >> nth=1", "More"),
            ("role=listitem >> text=two", "two"),
            ("section >> nth=1 >> :scope > p", "p2"),
        ] {
            match found(&tab, selector).await {
                Ok(found) => assert_eq!(found, expected, "{selector}"),
                Err(cause) => panic!("{selector}: {cause}"),
            }
        }
    });
}

#[test]
fn what_is_no_selector_is_unfit() {
    on_page(async |tab| {
        tab.show(BODY).await;
        for selector in [
            "][",
            "p:has-text(",
            "nope=x",
            "li:text(x)",
            "xpath=//[",
            "role=button[",
            "role=button[nope]",
            "a >> ",
            "p:unknown(1)",
            ",",
            "text=/(/",
        ] {
            let outcome = tab.click(selector, PATIENCE).await;
            assert!(matches!(outcome, Err(Failure::Unfit(_))), "{selector}: {outcome:?}");
        }
        for selector in [":light(#deep)", "role=button[name=\"save all\"]", "nth=3", "text=three >> visible=true"] {
            let outcome = tab.click(selector, std::time::Duration::from_millis(100)).await;
            assert!(matches!(outcome, Err(Failure::TimedOut { .. })), "{selector}: {outcome:?}");
        }
    });
}

#[test]
fn a_page_cannot_reach_the_hosts_scripts() {
    on_page(async |tab| {
        tab.show(BODY).await;
        tab.eval(
            "for (const name of ['querySelectorAll', 'elementsFromPoint', 'evaluate']) Document.prototype[name] = () => { throw new Error('caught') }; \
             Element.prototype.matches = () => true; window.getComputedStyle = null; Array.prototype.filter = () => []; 0",
        )
        .await;
        assert_eq!(found(&tab, "text=Hello").await.unwrap(), "p1");
        assert_eq!(tab.browser.content(&tab.identity, abxd_browser::ContentForm::Text).await.unwrap().title, "Page");
        assert!(tab.html_content().await.contains("<section"));
    });
}
