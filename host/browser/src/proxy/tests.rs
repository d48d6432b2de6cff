use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use abxd_guards::url::{Resolver, UrlRule};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::Proxy;
use crate::network::{Dial, Dialling};
use crate::sentry::Sentry;

const SOON: Duration = Duration::from_secs(20);

/// Every name but one is public.
struct Names;

impl Resolver for Names {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match name {
            "private.test" => Ok(vec!["192.168.1.1".parse().unwrap()]),
            "unknown.test" => Err(io::ErrorKind::NotFound.into()),
            _ => Ok(vec!["93.184.216.34".parse().unwrap()]),
        }
    }
}

/// Public addresses lead to one listener; what was dialled is noted.
#[derive(Clone)]
struct Lead {
    to: SocketAddr,
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
}

impl Dial for Lead {
    fn dial(&self, address: SocketAddr) -> Dialling {
        self.dialled.lock().unwrap().push(address);
        Box::pin(TcpStream::connect(self.to))
    }
}

struct Rig {
    proxy: Proxy,
    server: TcpListener,
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
}

impl Rig {
    async fn new() -> Self {
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let dialled = Arc::default();
        let lead = Lead { to: server.local_addr().unwrap(), dialled: Arc::clone(&dialled) };
        let sentry = Arc::new(Sentry::new(UrlRule::default(), Arc::new(Names)));
        Self { proxy: Proxy::start(sentry, Arc::new(lead)).await.unwrap(), server, dialled }
    }

    /// Says `first` and the headers, with the password; hears everything up to the end.
    async fn say(&self, first: &str, headers: &str) -> TcpStream {
        let mut browser = TcpStream::connect(self.proxy.address()).await.unwrap();
        let shown = self.proxy.credentials().header();
        let head = format!("{first}\r\nProxy-Authorization: {shown}\r\n{headers}\r\n");
        browser.write_all(head.as_bytes()).await.unwrap();
        browser
    }

    async fn accept(&self) -> TcpStream {
        timeout(SOON, self.server.accept()).await.unwrap().unwrap().0
    }
}

async fn rest_of(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    timeout(SOON, stream.read_to_end(&mut text)).await.unwrap().unwrap();
    String::from_utf8(text).unwrap()
}

async fn head_of(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        text.push(timeout(SOON, stream.read_u8()).await.unwrap().unwrap());
    }
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn nobody_passes_without_the_password() {
    let rig = Rig::new().await;
    for shown in ["", "Proxy-Authorization: Basic YWJ4ZDp3cm9uZw==\r\n"] {
        for first in ["GET http://public.test/ HTTP/1.1", "CONNECT public.test:443 HTTP/1.1"] {
            let mut browser = TcpStream::connect(rig.proxy.address()).await.unwrap();
            browser.write_all(format!("{first}\r\n{shown}\r\n").as_bytes()).await.unwrap();
            assert!(rest_of(browser).await.starts_with("HTTP/1.1 407 "), "{first} {shown}");
        }
    }
    assert!(rig.dialled.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_request_is_handed_on_without_what_is_the_proxys() {
    let rig = Rig::new().await;
    let mut browser =
        rig.say("POST http://public.test:8080/a?b HTTP/1.1", "Host: public.test:8080\r\nContent-Length: 4\r\n").await;
    browser.write_all(b"body").await.unwrap();
    let mut server = rig.accept().await;
    let head = head_of(&mut server).await;
    assert_eq!(head, "POST /a?b HTTP/1.1\r\nHost: public.test:8080\r\nContent-Length: 4\r\nConnection: close\r\n\r\n");
    let mut body = [0; 4];
    server.read_exact(&mut body).await.unwrap();
    assert_eq!(&body, b"body");
    server.write_all(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n").await.unwrap();
    server.write_all(b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nX: y\r\n\r\nanswer").await.unwrap();
    drop(server);
    let answer = "HTTP/1.1 103 Early\r\nLink: x\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\nConnection: close\r\n\r\nanswer";
    assert_eq!(rest_of(browser).await, answer);
    assert_eq!(*rig.dialled.lock().unwrap(), ["93.184.216.34:8080".parse().unwrap()]);
}

#[tokio::test]
async fn a_tunnel_carries_bytes_both_ways() {
    let rig = Rig::new().await;
    let mut browser = rig.say("CONNECT public.test:443 HTTP/1.1", "").await;
    let mut server = rig.accept().await;
    assert!(head_of(&mut browser).await.starts_with("HTTP/1.1 200 "));
    browser.write_all(b"ping").await.unwrap();
    let mut heard = [0; 4];
    server.read_exact(&mut heard).await.unwrap();
    server.write_all(&heard).await.unwrap();
    browser.read_exact(&mut heard).await.unwrap();
    assert_eq!(&heard, b"ping");
    drop(browser);
    assert_eq!(rest_of(server).await, "");
}

#[tokio::test]
async fn what_is_denied_is_never_dialled() {
    let rig = Rig::new().await;
    for place in ["private.test:80", "127.0.0.1:80", "[::1]:443", "localhost:80", "0x7f.1:80", "169.254.169.254:80"] {
        let refused = rig.say(&format!("CONNECT {place} HTTP/1.1"), "").await;
        assert!(rest_of(refused).await.starts_with("HTTP/1.1 403 "), "{place}");
        let refused = rig.say(&format!("GET http://{place}/ HTTP/1.1"), "").await;
        assert_eq!(rest_of(refused).await, "", "{place}");
    }
    let unknown = rig.say("CONNECT unknown.test:443 HTTP/1.1", "").await;
    assert!(rest_of(unknown).await.starts_with("HTTP/1.1 502 "));
    for first in ["GET / HTTP/1.1", "GET ftp://public.test/ HTTP/1.1", "nonsense", "GET http://public.test/ HTTP/2"] {
        assert_eq!(rest_of(rig.say(first, "").await).await, "", "{first}");
    }
    assert!(rig.dialled.lock().unwrap().is_empty());
}

#[tokio::test]
async fn connections_end_with_the_proxy() {
    let rig = Rig::new().await;
    let mut browser = rig.say("CONNECT public.test:443 HTTP/1.1", "").await;
    let server = rig.accept().await;
    head_of(&mut browser).await;
    drop(rig.proxy);
    assert_eq!(rest_of(server).await, "");
    assert_eq!(rest_of(browser).await, "");
}

#[tokio::test]
async fn a_browser_that_leaves_ends_its_request() {
    let rig = Rig::new().await;
    let browser = rig.say("GET http://public.test/slow HTTP/1.1", "Host: public.test\r\n").await;
    let mut server = rig.accept().await;
    head_of(&mut server).await;
    drop(browser);
    assert_eq!(rest_of(server).await, "");
}
