use serde_json::json;

use crate::rig::on_page;

#[test]
fn dialogs_are_dismissed() {
    on_page(async |tab| {
        tab.html("/frame", "<script>parent.framed = [alert(1) ?? null, confirm('?'), prompt('?')]</script>");
        tab.show("<iframe src=/frame></iframe><button id=b onclick='alert(1); window.after = 1'>x</button>").await;
        assert_eq!(tab.eval("[alert('a'), confirm('b'), prompt('c', 'd')]").await, json!([null, false, null]));
        tab.click("#b", crate::rig::PATIENCE).await.unwrap();
        tab.until("window.after", 1).await;
        assert_eq!(tab.eval("window.framed").await, json!([null, false, null]));
    });
}

#[test]
fn a_page_that_does_not_want_to_be_left_is_left() {
    on_page(async |tab| {
        tab.show(
            "<button id=b onclick='addEventListener(\"beforeunload\", event => event.preventDefault())'>x</button>",
        )
        .await;
        tab.click("#b", crate::rig::PATIENCE).await.unwrap();
        tab.html("/next", "<title>Next</title>");
        assert_eq!(tab.go("/next").await.title, "Next");
    });
}

#[test]
fn a_document_may_begin_with_a_dialog() {
    on_page(async |tab| {
        tab.html("/", "<script>window.answer = confirm('?')</script><title>Home</title>");
        assert_eq!(tab.go("/").await.title, "Home");
        assert_eq!(tab.eval("answer").await, false);
    });
}
