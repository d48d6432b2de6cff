use std::net::UdpSocket;
use std::time::Duration;

use abxd_browser::{Failure, Milestone};
use abxd_glob::Glob;
use abxd_guards::url::{AddressRule, UrlDenial, UrlRule};
use serde_json::json;

use crate::rig::{PATIENCE, dialled, on_browser, on_page};
use crate::site::Reply;

/// Addresses that no page may reach: as they stand in a URL, and as a name.
const DENIED: [&str; 5] =
    ["http://10.1.2.3/", "http://127.0.0.1:1/", "http://[::1]:1/", "http://private.test/", "http://169.254.169.254/"];

fn redirect(to: &str) -> Reply {
    Reply::Raw("302 Found", format!("Location: {to}\r\n"), String::new())
}

/// Nothing but the site's address was ever connected to.
fn assert_nothing_else_was_dialled() {
    let other: Vec<_> =
        dialled().into_iter().filter(|address| !address.ip().to_string().starts_with("93.184.")).collect();
    assert_eq!(other, []);
}

#[test]
fn a_redirect_into_what_is_denied_leaves_the_page_where_it_was() {
    on_page(async |tab| {
        tab.html("/", "<title>Home</title>");
        tab.go("/").await;
        tab.eval("window.kept = 7").await;
        for target in DENIED.into_iter().chain(["file:///etc/passwd", "ftp://t0.test/"]) {
            tab.put("/away", redirect(target));
            match tab.navigate(&tab.url("/away"), Milestone::Load, PATIENCE).await {
                Err(Failure::Denied(_)) => {}
                // The browser itself refuses to be sent to other schemes.
                Err(Failure::Navigation(_)) if !target.starts_with("http") => {
                    tab.go("/").await;
                    tab.eval("window.kept = 7").await;
                }
                other => panic!("{target}: {other:?}"),
            }
            assert_eq!(tab.eval("[location.pathname, window.kept]").await, json!(["/", 7]), "{target}");
        }
        assert_nothing_else_was_dialled();
    });
}

#[test]
fn a_name_with_a_private_address_is_denied_when_it_is_gone_to() {
    on_page(async |tab| {
        let denied = tab.navigate("http://private.test/", Milestone::Load, PATIENCE).await;
        assert!(matches!(denied, Err(Failure::Denied(UrlDenial::Address))), "{denied:?}");
        let denied = tab.navigate("https://private.test/", Milestone::Load, PATIENCE).await;
        assert!(matches!(denied, Err(Failure::Denied(UrlDenial::Address))), "{denied:?}");
        assert_eq!(tab.eval("location.href").await, "about:blank");
        assert_nothing_else_was_dialled();
    });
}

#[test]
fn what_a_page_starts_by_itself_stays_on_the_page() {
    on_page(async |tab| {
        for target in DENIED {
            for script in [
                format!("location.href = '{target}'"),
                format!("a = document.createElement('a'); a.href = '{target}'; document.body.append(a); a.click()"),
                format!(
                    "f = document.createElement('form'); f.method = 'post'; f.action = '{target}'; document.body.append(f); f.submit()"
                ),
                format!(
                    "m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url={target}'; document.head.append(m)"
                ),
            ] {
                tab.show("x").await;
                tab.eval(&format!("{script}; 0")).await;
                tokio::time::sleep(Duration::from_millis(60)).await;
                assert_eq!(tab.eval("document.title").await, "Page", "{script}");
            }
        }
        assert_nothing_else_was_dialled();
    });
}

#[test]
fn frames_and_popups_are_judged_like_pages() {
    let rule = UrlRule { deny: vec![Glob::new("*/secret*").unwrap()], ..UrlRule::default() };
    on_browser(rule, async |tab| {
        tab.html("/secret", "secret");
        tab.html("/open", "<script>parent.postMessage('open', '*'); opener?.postMessage('open', '*')</script>");
        tab.put("/round", redirect("/secret?3"));
        tab.show("<script>window.heard = []; addEventListener('message', event => heard.push(event.data))</script>")
            .await;
        let denied = tab.navigate(&tab.url("/round"), Milestone::Load, PATIENCE).await;
        assert!(matches!(denied, Err(Failure::Denied(UrlDenial::Denied))), "{denied:?}");
        tab.eval(
            "for (const path of ['/secret?1', '/round', '/open']) { const f = document.createElement('iframe'); f.src = path; document.body.append(f); window.open(path.replace('1', '2')); }",
        )
        .await;
        tab.until("heard.length", 2).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!tab.hits().iter().any(|hit| hit.contains("secret")), "{:?}", tab.hits());
        // Patterns are for documents.
        assert_eq!(tab.eval("fetch('/secret?4').then(answer => answer.status)").await, 404);
    });
}

#[test]
fn requests_of_pages_frames_and_workers_into_what_is_denied_fail() {
    on_page(async |tab| {
        tab.put("/worker.js", Reply::Raw("200 OK", "Content-Type: text/javascript\r\n".into(), WORKER.into()));
        tab.html("/frame", "<script>onmessage = async e => parent.postMessage(await fetch(e.data, {mode: 'no-cors'}).then(() => 'reached', () => 'refused'), '*')</script>");
        tab.show("<iframe src=/frame></iframe>").await;
        for target in DENIED {
            let ways = format!(
                "Promise.all([\
                   fetch('{target}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused'),\
                   new Promise(r => {{ const i = new Image(); i.onload = () => r('reached'); i.onerror = () => r('refused'); i.src = '{target}'; }}),\
                   new Promise(r => {{ const x = new XMLHttpRequest(); x.onload = () => r('reached'); x.onerror = () => r('refused'); x.open('GET', '{target}'); x.send(); }}),\
                   new Promise(r => {{ const e = new EventSource('{target}'); e.onopen = () => r('reached'); e.onerror = () => r('refused'); }}),\
                   new Promise(r => {{ const w = new Worker('/worker.js'); w.onmessage = e => r(e.data); w.postMessage('{target}'); }}),\
                   new Promise(r => {{ const w = new SharedWorker('/worker.js'); w.port.onmessage = e => r(e.data); w.port.postMessage('{target}'); }}),\
                   new Promise(r => {{ onmessage = e => r(e.data); frames[0].postMessage('{target}', '*'); }}),\
                   new Promise(r => {{ const w = new WebSocket('{}'); w.onopen = () => r('reached'); w.onerror = () => r('refused'); }}),\
                 ])",
                target.replace("http", "ws")
            );
            assert_eq!(tab.eval(&ways).await, json!(vec!["refused"; 8]), "{target}");
            assert_eq!(tab.eval(&format!("navigator.sendBeacon('{target}', 'x')")).await, true);
        }
        tab.put("/away", redirect("http://10.1.2.3/"));
        assert_eq!(tab.eval("fetch('/away').then(() => 'reached', () => 'refused')").await, "refused");
        assert_nothing_else_was_dialled();
    });
}

const WORKER: &str = "const ask = (url, port) => fetch(url, {mode: 'no-cors'}).then(() => port.postMessage('reached'), () => port.postMessage('refused'));\
    onmessage = e => ask(e.data, self); onconnect = e => { const [port] = e.ports; port.onmessage = e => ask(e.data, port); };";

#[test]
fn a_web_socket_reaches_what_is_not_denied_before_anything_else_was_asked_for() {
    on_page(async |tab| {
        let hello = "new Promise(r => { const w = new WebSocket('ws://SITE/ws'); w.onmessage = e => r(e.data); w.onerror = () => r('error'); })";
        assert_eq!(tab.eval(&hello.replace("SITE", &tab.host)).await, "hello");
    });
}

#[test]
fn other_schemes_are_refused() {
    on_page(async |tab| {
        tab.show("x").await;
        for url in
            ["file:///etc/passwd", "chrome://version/", "chrome://gpu/", "view-source:http://t0.test/", "devtools://x/"]
        {
            tab.eval(&format!("location.href = '{url}'; 0")).await;
            tokio::time::sleep(Duration::from_millis(60)).await;
            assert_eq!(tab.eval("document.title").await, "Page", "{url}");
            let fetched = format!("fetch('{url}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused')");
            assert_eq!(tab.eval(&fetched).await, "refused", "{url}");
        }
        // These never leave the browser.
        assert_eq!(tab.eval("fetch('data:text/plain,inner').then(answer => answer.text())").await, "inner");
        assert_eq!(
            tab.eval("fetch(URL.createObjectURL(new Blob(['blob']))).then(answer => answer.text())").await,
            "blob"
        );
    });
}

#[test]
fn no_datagram_leaves() {
    on_page(async |tab| {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        let port = socket.local_addr().unwrap().port();
        tab.show("x").await;
        let gather = format!(
            "(async () => {{ const p = new RTCPeerConnection({{iceServers: [{{urls: ['stun:127.0.0.1:{port}', 'stun:{port}.test']}}]}}); \
             p.createDataChannel('x'); const all = []; const done = new Promise(r => p.onicecandidate = e => e.candidate ? all.push(e.candidate.candidate) : r()); \
             await p.setLocalDescription(await p.createOffer()); await Promise.race([done, new Promise(r => setTimeout(r, 3000))]); return all; }})()"
        );
        assert_eq!(tab.eval(&gather).await, json!([]));
        let mut packet = [0; 64];
        assert!(socket.recv(&mut packet).is_err());
    });
}

#[test]
fn private_networks_are_blocked_by_name_and_number() {
    let rule = UrlRule { addresses: AddressRule { block_private_networks: true }, ..UrlRule::default() };
    on_browser(rule, async |tab| {
        tab.show("x").await;
        for (target, status) in
            [("http://100.64.0.1/", "refused"), ("http://224.0.0.1/", "refused"), (&*tab.url("/"), "reached")]
        {
            let fetched = format!("fetch('{target}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused')");
            assert_eq!(tab.eval(&fetched).await, status, "{target}");
        }
    });
}

#[test]
fn another_rule_counts_for_pages_that_are_open() {
    on_browser(UrlRule::default(), async |tab| {
        tab.html("/next", "<title>Next</title>");
        tab.show("x").await;
        tab.browser.set_rule(UrlRule { deny: vec![Glob::new("*/next").unwrap()], ..UrlRule::default() });
        tab.eval("location.href = '/next'; 0").await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(tab.eval("document.title").await, "Page");
        tab.browser.set_rule(UrlRule::default());
        tab.eval("void setTimeout(() => location.href = '/next')").await;
        tab.until("document.title", "Next").await;
    });
}

#[test]
fn a_page_that_opens_many_others_harms_itself_at_most() {
    on_page(async |tab| {
        let other = tab.another();
        other.eval("window.kept = 7").await;
        tab.show("x").await;
        // Chromium itself may hang at this, which is as good as a crash.
        let _ = tab.evaluate("for (let i = 0; i < 60; i++) window.open('/p?' + i); 0", Duration::from_secs(5)).await;
        let _ = tab.evaluate("1", Duration::from_secs(2)).await;
        let _ = tab.evaluate("1", Duration::from_secs(2)).await;
        tab.show("x").await;
        assert_eq!(other.eval("window.kept").await, 7);
    });
}

#[test]
fn a_server_that_wants_a_password_is_shown_as_it_answers() {
    on_page(async |tab| {
        let headers = "WWW-Authenticate: Basic realm=x\r\nContent-Type: text/html\r\n";
        tab.put("/", Reply::Raw("401 Unauthorized", headers.into(), "<title>Login</title>".into()));
        let landed = tab.go("/").await;
        assert_eq!((landed.status, &*landed.title), (401, "Login"));
    });
}
