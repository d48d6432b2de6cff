//! A server with a service of the test's own, and a client that sends and reads raw bytes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use abxd_http::{Listener, ServeReport, Settings, serve};
use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Far beyond anything that a passing test waits for.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.expect("took too long")
}

pub(crate) struct Rig {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<ServeReport>,
}

impl Rig {
    /// Serves `handler` for every request.
    pub(crate) fn start<F, R>(
        settings: Settings,
        handler: impl Fn(Request) -> F + Clone + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoResponse + 'static,
    {
        let listener = Listener::bind("127.0.0.1", 0).unwrap();
        let address = listener.local_addr();
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().fallback(move |request: Request| handler(request));
        let shutdown = async move {
            // Dropping the rig stops the server too.
            let _ = stopped.await;
        };
        let task = tokio::spawn(serve(listener, router, settings, shutdown));
        Self { address, stop: Some(stop), task }
    }

    /// A server that says what it got: method, target and body.
    pub(crate) fn echo(settings: Settings) -> Self {
        Self::start(settings, echo)
    }

    pub(crate) async fn connect(&self) -> Client {
        let stream = within(TcpStream::connect(self.address)).await.unwrap();
        Client { stream, unread: Vec::new() }
    }

    /// A connection on which `bytes` have been sent.
    pub(crate) async fn send(&self, bytes: impl AsRef<[u8]>) -> Client {
        let mut client = self.connect().await;
        client.send(bytes).await;
        client
    }

    pub(crate) fn tell_to_stop(&mut self) {
        drop(self.stop.take());
    }

    pub(crate) async fn stop(mut self) -> ServeReport {
        self.tell_to_stop();
        within(self.task).await.unwrap()
    }
}

pub(crate) async fn echo(request: Request) -> Response {
    let (head, body) = request.into_parts();
    let target = head.uri.path_and_query().map_or("", |target| target.as_str()).to_owned();
    match body.collect().await {
        Ok(body) => {
            let body = body.to_bytes();
            format!("{} {target} {}", head.method, String::from_utf8_lossy(&body)).into_response()
        }
        Err(error) => {
            use abxd_http::BodyError;
            use axum::http::StatusCode;
            let status = match error.into_inner().downcast_ref() {
                Some(BodyError::Idle) => StatusCode::REQUEST_TIMEOUT,
                Some(BodyError::Incomplete) => StatusCode::BAD_REQUEST,
                Some(BodyError::Broken(_)) | None => StatusCode::INTERNAL_SERVER_ERROR,
            };
            status.into_response()
        }
    }
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) version: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    fn parse(head: &[u8]) -> Self {
        let text = std::str::from_utf8(head).unwrap();
        let mut lines = text.split("\r\n");
        let (version, rest) = lines.next().unwrap().split_once(' ').unwrap();
        let headers = lines
            .filter(|line| !line.is_empty())
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let status = rest.get(..3).unwrap().parse().unwrap();
        Self { status, version: version.to_owned(), headers, body: String::new() }
    }
}

/// One end of a raw connection.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    unread: Vec<u8>,
}

impl Client {
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        within(self.stream.write_all(bytes.as_ref())).await.unwrap();
    }

    /// Reads one answer, by its length, its chunks, or to the end.
    pub(crate) async fn answer(&mut self) -> Answer {
        let mut answer = self.head().await;
        let length = answer.header("content-length").map(|length| length.parse().unwrap());
        let body = if answer.header("transfer-encoding") == Some("chunked") {
            self.chunks().await
        } else if let Some(length) = length {
            self.exactly(length).await
        } else if answer.status < 200 || matches!(answer.status, 204 | 304) {
            Vec::new()
        } else {
            self.rest().await
        };
        answer.body = String::from_utf8(body).unwrap();
        answer
    }

    /// Reads the head of an answer only.
    pub(crate) async fn head(&mut self) -> Answer {
        Answer::parse(&self.until(b"\r\n\r\n").await)
    }

    async fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let chunk = self.chunk().await;
            if chunk.is_empty() {
                return body;
            }
            body.extend(chunk);
        }
    }

    /// One chunk; the last one is empty.
    pub(crate) async fn chunk(&mut self) -> Vec<u8> {
        let line = self.until(b"\r\n").await;
        let length = usize::from_str_radix(std::str::from_utf8(&line).unwrap().trim(), 16).unwrap();
        let chunk = self.exactly(length).await;
        assert_eq!(self.exactly(2).await, b"\r\n");
        chunk
    }

    async fn until(&mut self, end: &[u8]) -> Vec<u8> {
        loop {
            if let Some(at) = self.unread.windows(end.len()).position(|window| window == end) {
                return self.unread.drain(..at + end.len()).collect();
            }
            assert!(self.more().await, "ended after {:?}", String::from_utf8_lossy(&self.unread));
        }
    }

    /// The next `length` bytes.
    pub(crate) async fn exactly(&mut self, length: usize) -> Vec<u8> {
        while self.unread.len() < length {
            assert!(self.more().await, "ended {} bytes early", length - self.unread.len());
        }
        self.unread.drain(..length).collect()
    }

    /// Everything up to a clean end.
    pub(crate) async fn rest(&mut self) -> Vec<u8> {
        while self.more().await {}
        std::mem::take(&mut self.unread)
    }

    /// Asserts that the server closes, cleanly and with nothing more to say.
    pub(crate) async fn closed(&mut self) {
        assert_eq!(String::from_utf8_lossy(&self.rest().await), "");
    }

    /// Waits until the connection has broken or ended.
    pub(crate) async fn broken(&mut self) -> std::io::Result<()> {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            if within(self.stream.read(&mut bytes)).await? == 0 {
                return Ok(());
            }
        }
    }

    async fn more(&mut self) -> bool {
        let mut bytes = vec![0; 64 * 1024];
        let read = within(self.stream.read(&mut bytes)).await.unwrap();
        self.unread.extend(bytes.get(..read).unwrap());
        read > 0
    }
}

/// Counts what is alive, and lets a test wait until all of it is gone.
#[derive(Clone, Default)]
pub(crate) struct Alive {
    count: Arc<AtomicUsize>,
    changed: Arc<tokio::sync::Notify>,
}

/// One thing that is alive.
pub(crate) struct Token(Alive);

impl Alive {
    pub(crate) fn token(&self) -> Token {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_waiters();
        Token(self.clone())
    }

    pub(crate) async fn reaches(&self, count: usize) {
        within(async {
            loop {
                let changed = self.changed.notified();
                if self.count.load(Ordering::SeqCst) == count {
                    return;
                }
                changed.await;
            }
        })
        .await;
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }
}
