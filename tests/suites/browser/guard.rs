//! Everything below asks for what is denied; what still arrives is seen by the site, which listens there, too.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::wait;
use crate::site::{OTHER_NAME, PRIVATE, PRIVATE_NAME, Reply, Site};
use crate::stage::{Stage, setup};

/// Ways into what is denied, each with a path of its own.
fn denied(site: &Site) -> Vec<String> {
    [PRIVATE, "127.0.0.1", "localhost", "127.1", "[::1]", "[::ffff:10.1.2.3]", PRIVATE_NAME]
        .iter()
        .enumerate()
        .map(|(number, host)| site.url_at(host, &format!("/denied/{number}")))
        .collect()
}

#[track_caller]
fn nothing_arrived(stage: &Stage) {
    assert!(!stage.site.was_asked("/denied"), "{:#?}", stage.site.hits());
}

#[test]
fn an_address_is_judged_before_a_browser_is_started() {
    let stage = Stage::new();
    for url in ["http://10.1.2.3/", "http://127.0.0.1/", "http://localhost/", "http://0x7f000001/", "http://[::1]/"] {
        stage.navigate(url).refused(403, "url_denied");
    }
    for url in [
        "file:///etc/passwd",
        "ftp://site.test/",
        "javascript:1",
        "about:blank",
        "data:text/html,x",
        "chrome://version",
    ] {
        stage.navigate(url).refused(400, "url_invalid");
    }
    for body in [json!({}), json!({"url": ""}), json!({"url": 5})] {
        assert!(stage.post("navigate", &body).failed_as(400, "ValueError").get("code").is_none());
    }
    assert!(stage.browsers().is_empty());
}

#[test]
fn a_redirect_into_what_is_denied_leaves_the_page_where_it_was() {
    let stage = Stage::new();
    stage.show("here");
    for url in denied(&stage.site) {
        stage.site.redirect("/away", &url);
        stage.site.redirect("/far", "/away");
        let answer = stage.navigate(&stage.site.url("/far")).refused(403, "url_denied");
        assert_eq!((&answer["type"], &answer["endpoint"]), (&json!("PolicyDenied"), &json!("browser_navigate")));
        assert_eq!(stage.text(), "here", "{url}");
    }
    nothing_arrived(&stage);
}

#[test]
fn a_name_is_judged_by_the_address_that_is_connected_to() {
    for params in [json!({}), json!({"block_private_networks": true})] {
        let stage = Stage::with_params(&params);
        stage.show("here");
        stage.navigate(&stage.site.url_at(PRIVATE_NAME, "/denied")).refused(403, "url_denied");
        assert_eq!(stage.text(), "here");
        nothing_arrived(&stage);
    }
}

#[test]
fn scripts_links_and_refreshes_lead_nowhere_that_is_denied() {
    let stage = Stage::new();
    for url in denied(&stage.site) {
        stage.site.html("/refresh", &format!("<meta http-equiv=refresh content='0;url={url}'>stays"));
        stage.go("/refresh");
        stage.show(&format!("<a href='{url}'>link</a><form action='{url}' method=post><button>send</button></form>"));
        stage.click("text=link");
        stage.click("text=send");
        stage.eval(&format!("location.href = '{url}'; 0"));
        stage.eval(&format!("window.open('{url}'); 0"));
        assert_eq!(stage.eval("new Promise(done => setTimeout(() => done(document.title), 50))"), "Home", "{url}");
    }
    // Other schemes are nowhere, too.
    for url in ["file:///etc/passwd", "chrome://version"] {
        stage.eval(&format!("location.href = '{url}'; 0"));
        assert_eq!(stage.eval("document.title"), "Home");
    }
    nothing_arrived(&stage);
}

#[test]
fn requests_of_pages_frames_workers_and_sockets_fail() {
    let stage = Stage::new();
    let script = "Content-Type: text/javascript\r\n".to_owned();
    stage.site.put("/worker.js", Reply::Raw("200 OK", script, WORKER.to_owned()));
    stage.site.html("/frame", FRAME);
    stage.show("<iframe id=f src=/frame></iframe>");
    // The doors are open: what is not denied comes through each of them.
    let answers = stage.eval(&ways(&stage.site.url_at(OTHER_NAME, "/open")));
    assert_eq!(answers.as_array().unwrap()[..5], vec![json!("reached"); 5], "{answers}");
    wait::until_true("the socket's handshake arrives", || stage.site.was_asked("GET other.test:"));
    for url in denied(&stage.site) {
        assert_eq!(stage.eval(&ways(&url)), json!(vec!["refused"; 7]), "{url}");
        assert_eq!(stage.eval(&format!("navigator.sendBeacon('{url}', 'x')")), true);
    }
    stage.site.redirect("/away", &stage.site.url_at(PRIVATE, "/denied"));
    assert_eq!(stage.eval("fetch('/away', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"), "refused");
    nothing_arrived(&stage);
}

/// A script that tries seven doors at once.
fn ways(url: &str) -> String {
    format!(
        "Promise.all([\
           fetch('{url}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused'),\
           new Promise(done => {{ const x = document.createElement('iframe'); x.src = '{url}'; x.onload = () => {{ let inner; try {{ inner = x.contentDocument }} catch {{}} done(inner ? 'refused' : 'reached') }}; document.body.append(x); setTimeout(() => done('refused'), 2000); }}),\
           new Promise(done => {{ const w = new Worker('/worker.js'); w.onmessage = e => done(e.data); w.postMessage('{url}'); }}),\
           new Promise(done => {{ const w = new SharedWorker('/worker.js'); w.port.onmessage = e => done(e.data); w.port.postMessage('{url}'); }}),\
           new Promise(done => {{ onmessage = e => done(e.data); f.contentWindow.postMessage('{url}', '*'); }}),\
           new Promise(done => {{ const x = new Image(); x.onload = () => done('reached'); x.onerror = () => done('refused'); x.src = '{url}'; }}),\
           new Promise(done => {{ const w = new WebSocket('{}'); w.onopen = () => done('reached'); w.onerror = () => done('refused'); }}),\
         ])",
        url.replacen("http", "ws", 1)
    )
}

const FRAME: &str = "<script>onmessage = async event => parent.postMessage(await fetch(event.data, {mode: 'no-cors'})\
    .then(() => 'reached', () => 'refused'), '*')</script>";

const WORKER: &str = "const ask = (url, port) => fetch(url, {mode: 'no-cors'})\
    .then(() => port.postMessage('reached'), () => port.postMessage('refused'));\
    onmessage = event => ask(event.data, self);\
    onconnect = event => { const [port] = event.ports; port.onmessage = event => ask(event.data, port); };";

#[test]
fn patterns_are_for_pages_frames_and_popups() {
    let stage = Stage::with_params(&json!({"url_deny": ["*/denied*"]}));
    stage.show("here");
    stage.navigate(&stage.site.url("/denied")).refused(403, "url_denied");
    stage.site.redirect("/away", "/denied");
    stage.navigate(&stage.site.url("/away")).refused(403, "url_denied");
    stage.eval("window.open('/denied/popup'); const f = document.createElement('iframe'); f.src = '/denied/frame'; document.body.append(f); 0");
    assert_eq!(stage.eval("location.href = '/denied/self'; 0"), 0);
    stage.until("document.title", &json!("Home"));
    assert_eq!(stage.eval("fetch('/seen').then(answer => answer.status)"), 404);
    nothing_arrived(&stage);
}

#[test]
fn only_what_is_allowed_is_gone_to() {
    let site = Site::open();
    let allowed = format!("{}*", site.url("/ok"));
    let policy = json!({"endpoints": {"browser_navigate": {"params": {"url_allow": [allowed]}}}});
    let stage = Stage { server: setup().policy(&policy).start(), site };
    stage.site.html("/ok", "<title>OK</title>");
    assert_eq!(stage.go("/ok")["title"], "OK");
    stage.navigate(&stage.site.url("/denied")).refused(403, "url_denied");
    stage.site.redirect("/ok/away", "/denied");
    stage.navigate(&stage.site.url("/ok/away")).refused(403, "url_denied");
    nothing_arrived(&stage);
}

#[test]
fn no_datagram_leaves() {
    let socket = std::net::UdpSocket::bind((crate::site::PUBLIC, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
    let port = socket.local_addr().unwrap().port();
    let stage = Stage::new();
    stage.show("here");
    let gather = format!(
        "new Promise(async done => {{ const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{}:{port}'}}]}}); c.createDataChannel('x'); \
         const all = []; c.onicecandidate = e => e.candidate ? all.push(e.candidate.candidate) : done(all); \
         await c.setLocalDescription(await c.createOffer()); setTimeout(() => done(all), 4000); }})",
        crate::site::PUBLIC
    );
    let candidates = stage.eval(&gather);
    assert!(socket.recv(&mut [0; 2048]).is_err(), "a datagram arrived; candidates: {candidates}");
    assert!(!candidates.to_string().contains(" udp "), "{candidates}");
}

#[test]
fn another_rule_counts_for_pages_that_are_open() {
    let policy = |deny: &[&str]| json!({"endpoints": {"browser_navigate": {"params": {"url_deny": deny}}}}).to_string();
    let start = setup();
    let file = start.place("policy.json");
    std::fs::write(&file, policy(&[])).unwrap();
    let stage = Stage::of(start.arg("--policy").arg(&file));
    stage.site.html("/denied", "<title>Reached</title>");
    stage.show("here");
    stage.eval("window.kept = 1");
    std::fs::write(&file, policy(&["*/denied*"])).unwrap();
    stage.server.signal(rustix::process::Signal::HUP);
    wait::until_true("the new rule is in force", || stage.navigate(&stage.site.url("/denied?asked")).status == 403);
    stage.eval("location.href = '/denied?self'; 0");
    let kept = stage.eval("new Promise(done => setTimeout(() => done(location.pathname), 50))");
    assert_ne!(kept, Value::from("/denied?self"));
    assert!(!stage.site.was_asked("/denied?self"), "{:#?}", stage.site.hits());
}
