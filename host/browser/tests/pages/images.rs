use abxd_browser::{Failure, ImageFormat, ScreenshotOptions};
use serde_json::json;

use crate::rig::{on_page, size};

const TALL: &str = "<style>body { margin: 8px } #h { height: 37.2px; background: red } #tall { height: 3000px }</style>\
    <div id=h>Hello</div><div id=tall></div><div id=low style='width: 40px; height: 40px'></div>";

#[test]
fn a_page_is_shown_whole_or_as_far_as_it_is_in_view() {
    on_page(async |tab| {
        tab.show(TALL).await;
        let view = tab.screenshot(None, false).await.unwrap();
        assert_eq!((size(&view.image), view.width, view.height), ((1280, 720), 1280.0, 720.0));
        let whole = tab.screenshot(None, true).await.unwrap();
        assert_eq!((size(&whole.image), whole.width, whole.height), ((1280, 3093), 1280.0, 720.0));
        assert_eq!(tab.eval("[scrollY, innerWidth, innerHeight]").await, json!([0, 1280, 720]));
    });
}

#[test]
fn an_element_is_shown_in_whole_pixels() {
    on_page(async |tab| {
        tab.show(TALL).await;
        let shown = tab.screenshot(Some("#h"), true).await.unwrap();
        assert_eq!((size(&shown.image), shown.width.trunc(), shown.height.trunc()), ((1264, 38), 1264.0, 37.0));
        let low = tab.screenshot(Some("#low"), true).await.unwrap();
        assert_eq!((size(&low.image).0, low.width), (40, 40.0));
        let first = tab.screenshot(Some("div"), true).await.unwrap();
        assert_eq!(first.width, 1264.0);
        let tall = tab.screenshot(Some("#tall"), true).await.unwrap();
        assert_eq!(size(&tall.image).0, 1264);
        assert!((3000..=3001).contains(&size(&tall.image).1));
    });
}

#[test]
fn a_selector_without_a_match_says_so_at_once() {
    on_page(async |tab| {
        tab.show("x").await;
        assert!(matches!(tab.screenshot(Some("#nope"), true).await, Err(Failure::NoMatch)));
        assert!(matches!(tab.screenshot(Some("]["), true).await, Err(Failure::Unfit(_))));
    });
}

#[test]
fn a_jpeg_is_one() {
    on_page(async |tab| {
        let options = ScreenshotOptions { selector: None, full_page: true, format: ImageFormat::Jpeg };
        let picture = tab.browser.screenshot(&tab.identity, options).await.unwrap();
        assert_eq!(&picture.image[..3], b"\xff\xd8\xff");
    });
}

#[test]
fn no_caret_is_shown_and_nothing_of_it_stays() {
    on_page(async |tab| {
        tab.show("<input id=i autofocus>").await;
        tab.eval("i.focus()").await;
        tab.screenshot(None, false).await.unwrap();
        assert_eq!(
            tab.eval("[getComputedStyle(i).caretColor === 'rgba(0, 0, 0, 0)', document.adoptedStyleSheets.length]")
                .await,
            json!([false, 0])
        );
    });
}

#[test]
fn an_endless_page_is_not_drawn() {
    on_page(async |tab| {
        tab.show("<div style='height: 200000px'></div>").await;
        assert!(matches!(tab.screenshot(None, true).await, Err(Failure::TooLarge(_))));
        assert_eq!(size(&tab.screenshot(None, false).await.unwrap().image), (1280, 720));
    });
}
