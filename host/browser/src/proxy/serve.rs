//! Connections of the browser: from the head of a request to a connection that the sentry let pass.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::WARM_UP;
use super::credentials::Credentials;
use super::exchange;
use super::head::{Head, path_of};
use crate::network::Dial;
use crate::sentry::{NoWay, Sentry};

/// Connections at the same time. A browser opens 32 for each context, and its WebSockets.
const AT_ONCE: usize = 512;

/// How long a connection may be there without a request.
const HEAD: Duration = Duration::from_secs(60);

/// How long one address is tried, and all of them together.
const ONE_ADDRESS: Duration = Duration::from_secs(10);
const ALL_ADDRESSES: Duration = Duration::from_secs(30);

/// Pause after `accept` failed, for lack of descriptors as a rule.
const PAUSE: Duration = Duration::from_millis(50);

const PASSWORD_WANTED: &[u8] = b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"abxd\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const DENIED: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const UNREACHABLE: &[u8] = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const NOTHING: &[u8] = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
const ESTABLISHED: &[u8] = b"HTTP/1.1 200 Connection Established\r\n\r\n";

/// What all connections share.
pub(super) struct Server {
    pub(super) sentry: Arc<Sentry>,
    pub(super) dial: Arc<dyn Dial>,
    pub(super) credentials: Arc<Credentials>,
}

impl Server {
    /// Takes connections until it is aborted; those that are open end with it.
    pub(super) async fn accept(self: Arc<Self>, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let mut open = JoinSet::new();
        while let Ok(place) = places.clone().acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let server = self.clone();
                    open.spawn(async move {
                        let _place = place;
                        server.serve(stream).await;
                    });
                }
                Err(_) => sleep(PAUSE).await,
            }
            while open.try_join_next().is_some() {}
        }
    }

    /// Serves one connection. Whatever fails ends it: the browser tells its page.
    async fn serve(&self, mut browser: TcpStream) {
        let mut buffer = Vec::new();
        let Ok(Ok(Some(head))) = timeout(HEAD, Head::read(&mut browser, &mut buffer)).await else { return };
        let _ = browser.set_nodelay(true);
        if !head.value("proxy-authorization").is_some_and(|shown| self.credentials.accept(shown)) {
            return answer(browser, PASSWORD_WANTED).await;
        }
        match head.request() {
            Some(("CONNECT", place)) => match self.connect(&format!("https://{place}/")).await {
                Ok(mut server) => {
                    if browser.write_all(ESTABLISHED).await.is_ok() && server.write_all(&buffer).await.is_ok() {
                        exchange::tunnel(browser, server).await;
                    }
                }
                Err(NoWay::Denied(_)) => answer(browser, DENIED).await,
                Err(NoWay::Unknown) => answer(browser, UNREACHABLE).await,
            },
            Some((_, WARM_UP)) => answer(browser, NOTHING).await,
            // An answer would pass for the server's own: the connection ends, and the browser calls that an error.
            Some((method, url)) if url.starts_with("http://") => {
                let (Ok(server), Some(path)) = (self.connect(url).await, path_of(url)) else { return };
                let head = head.handed_on(Some(&format!("{method} {path} HTTP/1.1")));
                exchange::forward(browser, server, &head, &buffer).await;
            }
            _ => {}
        }
    }

    /// A connection to one of the addresses that pass, the first that answers.
    async fn connect(&self, url: &str) -> Result<TcpStream, NoWay> {
        let addresses = self.sentry.way(url).await?;
        timeout(ALL_ADDRESSES, self.first_of(&addresses)).await.ok().flatten().ok_or(NoWay::Unknown)
    }

    async fn first_of(&self, addresses: &[SocketAddr]) -> Option<TcpStream> {
        for address in addresses {
            if let Ok(Ok(stream)) = timeout(ONE_ADDRESS, self.dial.dial(*address)).await {
                let _ = stream.set_nodelay(true);
                return Some(stream);
            }
        }
        None
    }
}

async fn answer(mut browser: TcpStream, answer: &[u8]) {
    // It may have left.
    let _ = browser.write_all(answer).await;
    let _ = browser.shutdown().await;
}
