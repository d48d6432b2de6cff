use crate::rig::on_page;
use crate::site::Reply;

#[test]
fn what_is_written_is_kept_as_playwright_shows_it() {
    on_page(async |tab| {
        assert_eq!(tab.console(), []);
        tab.show("x").await;
        let script = "console.log('click', 1, {a: 1}); console.info('%s', 'x'); console.debug(-0, 10n, NaN, undefined, null, true);\
            console.warn([1, [2]], {deep: {x: 1}}, new Map([[1, 2]]), Symbol('s')); console.error(document.body, () => 1);\
            console.group('g'); console.groupEnd(); console.assert(false, 'a'); console.count('c'); console.dir({b: 2}); console.table([1]); console.log([1,,3,,,,7]); console.clear()";
        tab.eval(&format!("{script}; 0")).await;
        let expected = [
            ("log", "click 1 {a: 1}"),
            ("info", "%s x"),
            ("debug", "0 undefined NaN undefined null true"),
            ("warning", "[1, Array(1)] {deep: Object} Map(1) Symbol(s)"),
            ("error", "JSHandle@node () => 1"),
            ("startGroup", "g"),
            ("endGroup", "console.groupEnd"),
            ("assert", "a"),
            ("count", "c: 1"),
            ("dir", "{b: 2}"),
            ("table", "[1]"),
            ("log", "[1, empty, 3, empty x 3, 7]"),
            ("clear", "console.clear"),
        ];
        let texts = tab.console_texts(expected.len()).await;
        assert_eq!(texts, expected.map(|(kind, text)| (kind.to_owned(), text.to_owned())));
        assert_eq!(tab.console(), []);
    });
}

#[test]
fn errors_that_nobody_caught_and_the_browsers_own_words_are_kept() {
    on_page(async |tab| {
        tab.show("<img src=/none.png>").await;
        tab.eval("setTimeout(() => { throw new TypeError('late') }); Promise.reject('no'); 0").await;
        let texts = tab.console_texts(3).await;
        assert!(texts.iter().all(|(kind, _)| kind == "error"), "{texts:?}");
        for words in ["the server responded with a status of 404", "TypeError: late\n    at", "no"] {
            assert!(texts.iter().any(|(_, text)| text.contains(words)), "{words}: {texts:?}");
        }
    });
}

#[test]
fn frames_and_workers_write_to_their_pages_console_and_popups_do_not() {
    on_page(async |tab| {
        let script = "console.log('worker')";
        tab.put("/worker.js", Reply::Raw("200 OK", "Content-Type: text/javascript\r\n".into(), script.into()));
        tab.html("/frame", "<script>console.log('frame')</script>");
        tab.site.put("other.test", "/frame", Reply::Html("<script>console.log('other frame')</script>".into()));
        tab.html("/popup", "<script>console.log('popup'); opener.popped = 1</script>");
        tab.show("<iframe src=/frame></iframe><iframe src=http://other.test/frame></iframe><script>new Worker('/worker.js')</script>").await;
        let mut texts: Vec<_> = tab.console_texts(3).await.into_iter().map(|(_, text)| text).collect();
        texts.sort();
        assert_eq!(texts, ["frame", "other frame", "worker"]);
        tab.eval("void open('/popup')").await;
        tab.until("window.popped", 1).await;
        assert_eq!(tab.console(), []);
    });
}

#[test]
fn a_console_outlives_documents_and_is_its_identitys_own() {
    on_page(async |tab| {
        let other = tab.another();
        tab.show("<script>console.log('one')</script>").await;
        tab.show("<script>console.log('two')</script>").await;
        other.eval("console.log('other')").await;
        let texts: Vec<_> = tab.console_texts(2).await.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["one", "two"]);
        assert_eq!(other.console_texts(1).await.len(), 1);
    });
}

#[test]
fn a_flood_keeps_the_newest_and_breaks_nothing() {
    on_page(async |tab| {
        tab.show("x").await;
        tab.eval("for (let i = 0; i < 20000; i++) console.log(i, {i})").await;
        tab.eval("console.log('x'.repeat(60 << 20)); console.log('last'); 0").await;
        let mut texts = Vec::new();
        while texts.last().is_none_or(|text| text != "last") {
            texts.extend(tab.console_texts(1).await.into_iter().map(|(_, text)| text));
            assert!(!texts.is_empty());
        }
        assert!(texts.contains(&"19999 {i: 19999}".to_owned()));
        assert_eq!(tab.eval("1").await, 1);
    });
}
