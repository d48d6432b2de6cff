//! Bytes between the browser and a server, both ways, until one of them has had enough or nothing has moved for long.

use std::io;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep_until, timeout};

use super::head::Head;

/// How long nothing may move. A WebSocket may be silent for minutes.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How long a browser may take to notice that an answer has ended.
const LINGER: Duration = Duration::from_secs(2);

/// Bytes taken at once.
const CHUNK: usize = 32 << 10;

/// When something moved last.
struct Pulse(Mutex<Instant>);

impl Pulse {
    fn new() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    fn beat(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Resolves once nothing has moved for [`IDLE`].
    async fn stopped(&self) {
        loop {
            let end = *self.0.lock().unwrap_or_else(PoisonError::into_inner) + IDLE;
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// Hands bytes on, whatever they are. A browser that closes its end has left.
pub(super) async fn tunnel(mut browser: TcpStream, mut server: TcpStream) {
    let pulse = Pulse::new();
    let (mut from_browser, mut to_browser) = browser.split();
    let (mut from_server, mut to_server) = server.split();
    let down = async {
        if copy(&mut from_server, &mut to_browser, &pulse).await.is_ok() {
            // The browser sees the end, and leaves when it wants to.
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        _ = copy(&mut from_browser, &mut to_server, &pulse) => {}
        () = down => {}
        () = pulse.stopped() => {}
    }
}

/// Hands one request on, of which `head` and `rest` are read already, and its answer back. The answer says that the
/// connection ends with it, so no other request comes on it.
pub(super) async fn forward(mut browser: TcpStream, mut server: TcpStream, head: &[u8], rest: &[u8]) {
    let pulse = Pulse::new();
    let (mut from_browser, mut to_browser) = browser.split();
    let (mut from_server, mut to_server) = server.split();
    let mut up = pin!(async {
        let sent = async {
            to_server.write_all(head).await?;
            to_server.write_all(rest).await?;
            copy(&mut from_browser, &mut to_server, &pulse).await
        };
        if sent.await.is_err() {
            // The server takes no more. Its answer may be on the way.
            std::future::pending::<()>().await;
        }
    });
    tokio::select! {
        // The browser has left.
        () = &mut up => return,
        answered = answer(&mut from_server, &mut to_browser, &pulse) => if answered.is_err() { return },
        () = pulse.stopped() => return,
    }
    // What the browser is still sending would reset the connection, and the answer with it.
    let _ = timeout(LINGER, up).await;
}

/// Hands an answer on, its head changed, with the interim answers before it.
async fn answer(server: &mut ReadHalf<'_>, browser: &mut WriteHalf<'_>, pulse: &Pulse) -> io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let Some(head) = Head::read(server, &mut buffer).await? else { break };
        pulse.beat();
        let Some(status) = head.status() else {
            browser.write_all(head.as_bytes()).await?;
            break;
        };
        browser.write_all(&head.handed_on(None)).await?;
        if !(100..200).contains(&status) || status == 101 {
            break;
        }
    }
    browser.write_all(&buffer).await?;
    copy(server, browser, pulse).await
}

/// Hands bytes on to the end of `from`, which then is the end of `to`.
async fn copy(from: &mut ReadHalf<'_>, to: &mut WriteHalf<'_>, pulse: &Pulse) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = from.read(&mut chunk).await?;
        pulse.beat();
        let Some(bytes) = chunk.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        to.write_all(bytes).await?;
    }
    to.shutdown().await
}
