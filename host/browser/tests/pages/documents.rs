use std::time::Duration;

use abxd_browser::{ContentForm, Failure, Paper};

use crate::rig::{PATIENCE, on_page};
use crate::site::Reply;

#[test]
fn html_is_the_doctype_and_the_root() {
    on_page(async |tab| {
        assert_eq!(tab.html_content().await, "<html><head></head><body></body></html>");
        tab.html("/", "<!DOCTYPE html><html lang=en><title>T</title><body>hé<script>1</script></body></html>");
        tab.go("/").await;
        let content = tab.browser.content(&tab.identity, ContentForm::Html).await.unwrap();
        let html =
            "<!DOCTYPE html><html lang=\"en\"><head><title>T</title></head><body>hé<script>1</script></body></html>";
        assert_eq!((&*content.text, content.url, &*content.title), (html, tab.url("/"), "T"));
    });
}

#[test]
fn text_is_what_can_be_read() {
    on_page(async |tab| {
        tab.show("<p>Hello</p><a href=x>Go</a><p style='display:none'>no</p><script>1</script><div>tall</div>").await;
        assert_eq!(tab.text().await, "Hello\n\nGo\ntall");
    });
}

#[test]
fn content_waits_for_a_document_that_is_on_its_way() {
    on_page(async |tab| {
        tab.put("/next", Reply::Slow(Duration::from_millis(1500), "<title>Next</title>next".into()));
        tab.show("first").await;
        tab.eval("void setTimeout(() => location.href = '/next', 0)").await;
        tab.until("document.title", "Next").await;
        assert_eq!(tab.text().await, "next");
    });
}

#[test]
fn content_has_a_size() {
    on_page(async |tab| {
        tab.show("<p id=p></p>").await;
        tab.eval("void (p.textContent = 'x'.repeat(40 << 20))").await;
        let large = tab.browser.content(&tab.identity, ContentForm::Html).await;
        assert!(matches!(large, Err(Failure::TooLarge(_))));
    });
}

#[test]
fn a_pdf_counts_its_page_nodes() {
    on_page(async |tab| {
        tab.show("<p>one</p><p style='break-before: page'>two</p>").await;
        let tabloid = Paper { width: 11.0, height: 17.0 };
        let printed = tab.browser.print(&tab.identity, tabloid, false).await.unwrap();
        assert_eq!((&printed.document[..5], printed.page_marks), (&b"%PDF-"[..], 3));
        let boxes = |text: &[u8]| {
            let at = memchr::memmem::find(text, b"/MediaBox").unwrap();
            String::from_utf8_lossy(&text[at..at + 30]).into_owned()
        };
        assert!(boxes(&printed.document).contains("[0 0 792 1224]"), "{}", boxes(&printed.document));
        let landscape = tab.browser.print(&tab.identity, tabloid, true).await.unwrap();
        assert!(boxes(&landscape.document).contains("[0 0 1224 792]"), "{}", boxes(&landscape.document));
    });
}

#[test]
fn a_page_without_a_body_has_no_text_in_time() {
    on_page(async |tab| {
        tab.show("x").await;
        tab.eval("document.body.remove()").await;
        let tabs = (tab.browser.clone(), tab.identity.clone());
        let waiting = tokio::spawn(async move { tabs.0.content(&tabs.1, ContentForm::Text).await });
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!waiting.is_finished());
        waiting.abort();
        let again = tokio::time::timeout(PATIENCE, tab.evaluate("1", PATIENCE)).await.unwrap();
        assert_eq!(again.unwrap(), 1);
    });
}
