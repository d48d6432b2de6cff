//! One browser for all tests of this program, a page for each; and browsers of their own for those that break theirs.
//!
//! Every name below `test` leads to the site, but for a few; a name that begins with `private` has a private address.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use abxd_browser::network::{Dial, Dialling, Network};
use abxd_browser::{
    Browser, ConsoleEntry, ContentForm, Failure, ImageFormat, Landing, Milestone, NavigateOptions, Picture,
    ScreenshotOptions, Settings, TypingOptions,
};
use abxd_capabilities::process::{Environment, Settings as Supervision, Supervisor};
use abxd_guards::process::ProcessGuard;
use abxd_guards::url::{CheckedUrl, Resolver, UrlDenial, UrlGuard, UrlRule};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

use crate::site::{Reply, Site};

/// Within it, everything has to have happened.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Where every name leads, as the guard sees it.
const PUBLIC: &str = "93.184.216.34";

struct World {
    runtime: Runtime,
    supervisor: Supervisor,
    site: Site,
    network: Network,
    dialled: Dialled,
    browser: Browser,
}

type Dialled = Arc<Mutex<Vec<SocketAddr>>>;

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (site, dialled) = (Site::default(), Dialled::default());
    let (supervisor, listener) = runtime.block_on(async {
        let supervisor = Supervisor::start(Environment::inherited(), Supervision::new(std::env::temp_dir()));
        (supervisor.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap())
    });
    let lead = Lead { to: listener.local_addr().unwrap(), dialled: dialled.clone() };
    runtime.spawn(site.clone().serve(listener));
    let network = Network { resolver: Arc::new(Names), dial: Arc::new(lead) };
    let browser = Browser::new(settings(&supervisor, &network, UrlRule::default()));
    World { runtime, supervisor, site, network, dialled, browser }
});

fn settings(supervisor: &Supervisor, network: &Network, rule: UrlRule) -> Settings {
    Settings {
        supervisor: supervisor.clone(),
        guard: ProcessGuard::new(&std::env::var_os("PATH").unwrap(), &scratch()),
        working_dir: scratch(),
        program: std::env::var("ABX_BROWSER_BIN").ok(),
        variables: std::env::vars_os().collect(),
        user: None,
        scratch: scratch(),
        rule,
        network: network.clone(),
    }
}

/// Below the target folder: what a run leaves behind that was cut short is found there.
fn scratch() -> PathBuf {
    env!("CARGO_TARGET_TMPDIR").into()
}

struct Names;

impl Resolver for Names {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match name.strip_suffix(".test") {
            Some(name) if name.starts_with("private") => Ok(vec!["10.1.2.3".parse().unwrap()]),
            Some(name) if name.starts_with("gone") => Ok(vec!["93.184.216.35".parse().unwrap()]),
            Some(name) if !name.starts_with("unknown") => Ok(vec![PUBLIC.parse().unwrap()]),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Leads to the site, whatever was asked for; where `gone` is there is nobody.
struct Lead {
    to: SocketAddr,
    dialled: Dialled,
}

impl Dial for Lead {
    fn dial(&self, address: SocketAddr) -> Dialling {
        self.dialled.lock().unwrap().push(address);
        match address.ip().to_string() == PUBLIC {
            true => Box::pin(TcpStream::connect(self.to)),
            false => Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) }),
        }
    }
}

/// A page of one test, with a host of its own: `tN.test`.
pub(crate) struct Tab {
    pub(crate) browser: Browser,
    pub(crate) identity: String,
    pub(crate) host: String,
    pub(crate) site: Site,
    guard: UrlGuard,
}

/// Runs a test on a page of the common browser.
pub(crate) fn on_page<F: Future<Output = ()>>(test: impl FnOnce(Tab) -> F) {
    WORLD.runtime.block_on(test(Tab::of(WORLD.browser.clone(), UrlRule::default())));
}

/// Runs a test on a browser of its own, which is stopped in the end.
pub(crate) fn on_browser<F: Future<Output = ()>>(rule: UrlRule, test: impl FnOnce(Tab) -> F) {
    WORLD.runtime.block_on(async {
        let browser = Browser::new(settings(&WORLD.supervisor, &WORLD.network, rule.clone()));
        test(Tab::of(browser.clone(), rule)).await;
        browser.shutdown().await;
    });
}

/// The addresses that were connected to.
pub(crate) fn dialled() -> Vec<SocketAddr> {
    WORLD.dialled.lock().unwrap().clone()
}

/// Settings for a browser of the test's own.
pub(crate) fn own_settings() -> Settings {
    settings(&WORLD.supervisor, &WORLD.network, UrlRule::default())
}

/// Runs what needs the runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    WORLD.runtime.block_on(work)
}

impl Tab {
    pub(crate) fn of(browser: Browser, rule: UrlRule) -> Self {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let guard = UrlGuard::new(rule, Arc::new(Names));
        let (identity, host) = (format!("identity {number}"), format!("t{number}.test"));
        Self { browser, identity, host, site: WORLD.site.clone(), guard }
    }

    /// Another identity's page in the same browser.
    pub(crate) fn another(&self) -> Self {
        Self::of(self.browser.clone(), UrlRule::default())
    }

    pub(crate) fn put(&self, path: &str, reply: Reply) {
        self.site.put(&self.host, path, reply);
    }

    pub(crate) fn html(&self, path: &str, text: &str) {
        self.put(path, Reply::Html(text.to_owned()));
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// What of this test's host was asked for.
    pub(crate) fn hits(&self) -> Vec<String> {
        self.site.hits(&self.host)
    }

    pub(crate) fn check(&self, url: &str) -> Result<CheckedUrl, UrlDenial> {
        self.guard.check(url)
    }

    pub(crate) async fn navigate(&self, url: &str, wait_until: Milestone, time: Duration) -> Result<Landing, Failure> {
        let url = self.check(url).map_err(Failure::Denied)?;
        self.browser.navigate(&self.identity, url, NavigateOptions { wait_until, timeout: time }).await
    }

    /// Goes to a path of this test's host.
    pub(crate) async fn go(&self, path: &str) -> Landing {
        self.navigate(&self.url(path), Milestone::Load, PATIENCE).await.unwrap()
    }

    /// Goes to a page with this body.
    pub(crate) async fn show(&self, body: &str) {
        self.html("/", &format!("<!DOCTYPE html><title>Page</title><body>{body}</body>"));
        self.go("/").await;
    }

    pub(crate) async fn evaluate(&self, script: &str, time: Duration) -> Result<Value, Failure> {
        let text = self.browser.evaluate(&self.identity, script.to_owned(), time).await?;
        Ok(serde_json::from_str(&text).unwrap_or_else(|cause| panic!("{cause}: {text}")))
    }

    #[track_caller]
    pub(crate) fn eval(&self, script: &str) -> impl Future<Output = Value> {
        let place = std::panic::Location::caller();
        async move { self.evaluate(script, PATIENCE).await.unwrap_or_else(|cause| panic!("{place}: {cause}")) }
    }

    /// Waits until a script's value is this.
    pub(crate) async fn until(&self, script: &str, value: impl Into<Value>) {
        let value = value.into();
        let waiting = async {
            while self.eval(script).await != value {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{script} never was {value}"));
    }

    pub(crate) async fn click(&self, selector: &str, time: Duration) -> Result<(), Failure> {
        self.browser.click(&self.identity, selector.to_owned(), time).await
    }

    pub(crate) async fn type_text(&self, selector: &str, text: &str, clear: bool) -> Result<(), Failure> {
        let options = TypingOptions { delay: Duration::ZERO, clear };
        self.browser.type_text(&self.identity, selector.to_owned(), text.to_owned(), options).await
    }

    pub(crate) async fn text(&self) -> String {
        self.browser.content(&self.identity, ContentForm::Text).await.unwrap().text
    }

    pub(crate) async fn html_content(&self) -> String {
        self.browser.content(&self.identity, ContentForm::Html).await.unwrap().text
    }

    pub(crate) async fn screenshot(&self, selector: Option<&str>, full_page: bool) -> Result<Picture, Failure> {
        let options = ScreenshotOptions { selector: selector.map(str::to_owned), full_page, format: ImageFormat::Png };
        self.browser.screenshot(&self.identity, options).await
    }

    pub(crate) fn console(&self) -> Vec<ConsoleEntry> {
        self.browser.drain_console(&self.identity)
    }

    /// Texts of the console, once there are so many.
    pub(crate) async fn console_texts(&self, count: usize) -> Vec<(String, String)> {
        let mut all = Vec::new();
        let waiting = async {
            while all.len() < count {
                all.extend(self.console().into_iter().map(|entry| (entry.kind, entry.text)));
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, waiting).await;
        all
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _inside = WORLD.runtime.enter();
        let identity = self.identity.clone();
        self.browser.retain(|kept| kept != identity);
    }
}

/// Width and height of a PNG.
pub(crate) fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}
