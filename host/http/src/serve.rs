//! The accept loop. Owns the listening socket and, through a `JoinSet`, every connection's task. Ends when told to stop:
//! the listening socket closes first, idle connections at once, requests in flight when they are answered or when the
//! grace is over; nothing is left behind.

mod roster;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rustix::net::sockopt;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout_at};

use crate::connection;
use crate::listener::Listener;
use crate::service::HttpService;
use crate::settings::Settings;
use crate::signals::{Order, Signals};

use roster::Roster;

/// How often the roster is looked through while a connection waits for a place.
const ROOM_CHECK: Duration = Duration::from_millis(20);
/// Waits after an accept that failed for want of descriptors or memory.
const BACK_OFF: std::ops::RangeInclusive<Duration> = Duration::from_millis(5)..=Duration::from_millis(500);
/// Silence after which the kernel asks whether the peer is still there.
const PROBE_AFTER: Duration = Duration::from_secs(60);

/// What a listener did until it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServeReport {
    /// Connections accepted.
    pub accepted: u64,
    /// Connections closed at the limit to make room for others.
    pub evicted: u64,
    /// Connections cut because the grace was over.
    pub cut: usize,
}

/// Serves connections until `shutdown` resolves, then ends them (see the module). Takes any tower service, such as an
/// `axum::Router`; it is cloned once per request. Every request carries a [`Peer`](crate::Peer) in its extensions.
///
/// Cancelling the future cuts every connection.
pub async fn serve(
    listener: Listener,
    service: impl HttpService,
    settings: Settings,
    shutdown: impl Future<Output = ()>,
) -> ServeReport {
    let mut shutdown = pin!(shutdown);
    let mut server = Server { service, settings, roster: Roster::default(), report: ServeReport::default() };
    tokio::select! {
        biased;
        () = &mut shutdown => {}
        never = server.accept_all(&listener) => match never {},
    }
    drop(listener);
    server.stop().await
}

struct Server<S> {
    service: S,
    settings: Settings,
    roster: Roster,
    report: ServeReport,
}

impl<S: HttpService> Server<S> {
    async fn accept_all(&mut self, listener: &Listener) -> Infallible {
        let mut back_off = *BACK_OFF.start();
        loop {
            let accepted = tokio::select! {
                accepted = listener.socket().accept() => accepted,
                () = self.roster.one_ended() => continue,
            };
            match accepted {
                Ok((stream, address)) => {
                    back_off = *BACK_OFF.start();
                    self.report.accepted += 1;
                    self.have_room().await;
                    self.start(stream, address);
                }
                // The connection was gone before it was accepted.
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    // Once per shortage, not once per attempt.
                    if back_off == *BACK_OFF.start() {
                        tracing::warn!(%error, "cannot accept connections");
                    }
                    self.make_room();
                    sleep(back_off).await;
                    back_off = (back_off * 2).min(*BACK_OFF.end());
                }
            }
        }
    }

    /// Waits until one more connection may be there. Others wait in the backlog meanwhile.
    async fn have_room(&mut self) {
        while self.roster.len() >= self.settings.max_connections.max(1) {
            self.make_room();
            let _ = timeout_at(Instant::now() + ROOM_CHECK, self.roster.one_ended()).await;
        }
    }

    /// Closes one connection that nobody will miss, if there is one.
    fn make_room(&mut self) {
        if let Some(signals) = self.roster.least_missed() {
            signals.give(Order::MakeRoom);
            self.report.evicted += 1;
        }
    }

    fn start(&mut self, stream: TcpStream, address: SocketAddr) {
        prepare(&stream, &self.settings);
        let signals = Arc::new(Signals::new());
        let task = connection::run(stream, address, Arc::clone(&signals), self.service.clone(), self.settings);
        self.roster.add(signals, task);
    }

    async fn stop(mut self) -> ServeReport {
        let deadline = Instant::now() + self.settings.grace;
        self.roster.tell_all(Order::Stop);
        while self.roster.len() > 0 && timeout_at(deadline, self.roster.one_ended()).await.is_ok() {}
        self.report.cut = self.roster.cut_all().await;
        self.report
    }
}

/// Answers are small and wanted at once; and a peer that vanished without a word is noticed, whether there is something
/// to write or not. None of it matters enough to refuse a connection for it.
fn prepare(stream: &TcpStream, settings: &Settings) {
    let _ = stream.set_nodelay(true);
    let stall = u32::try_from(settings.write_stall_timeout.as_millis()).unwrap_or(u32::MAX);
    let _ = sockopt::set_tcp_user_timeout(stream, stall);
    let _ = sockopt::set_tcp_keepidle(stream, PROBE_AFTER);
    let _ = sockopt::set_socket_keepalive(stream, true);
    if let Some(bytes) = settings.send_buffer {
        let _ = sockopt::set_socket_send_buffer_size(stream, bytes);
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}
