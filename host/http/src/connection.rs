//! One connection from its first byte to its last. Its task owns the socket (together with the I/O object that the HTTP
//! library holds), the library's state, the service's future and answer, the rest of an unread body, and one timer; all
//! of them end with it. The accept loop owns the task.

mod driver;

use std::net::SocketAddr;
use std::sync::Arc;

use hyper::server::conn::http1;
use tokio::net::TcpStream;

use crate::exchange::Exchange;
use crate::linger::{linger, refuse};
use crate::peer::Peer;
use crate::rejection::Rejection;
use crate::service::HttpService;
use crate::settings::Settings;
use crate::signals::Signals;
use crate::wire::{Wire, WireIo};

use driver::{Driver, Ending};

/// Serves the connection until it ends. Dropping the future cuts it.
pub(crate) async fn run<S: HttpService>(
    stream: TcpStream,
    address: SocketAddr,
    signals: Arc<Signals>,
    service: S,
    settings: Settings,
) {
    let wire = Wire::new(stream, Arc::clone(&signals), &settings);
    let guard = CutOnDrop(&wire);
    let peer = Peer::new(address, Arc::clone(&signals));
    let exchange = Exchange::new(service, peer, Arc::clone(&signals));
    let connection = protocol(&settings).serve_connection(WireIo::new(Arc::clone(&wire)), exchange).with_upgrades();
    let ending = Driver::new(Arc::clone(&wire), connection, settings).await;
    signals.set_lull(None);
    if ending != Ending::Switched {
        signals.leave();
    }
    match ending {
        Ending::Finished | Ending::Lost => {}
        Ending::Broken => wire.reset_on_close(),
        Ending::Answered => linger(&wire).await,
        // Whoever waits for the place does not wait for the end of what this peer sends.
        Ending::Refused(Rejection::Crowded) => refuse(&wire, Rejection::Crowded).await,
        Ending::Refused(rejection) => {
            refuse(&wire, rejection).await;
            linger(&wire).await;
        }
        Ending::Switched => std::future::poll_fn(|cx| wire.poll_released(cx)).await,
    }
    drop(guard);
}

fn protocol(settings: &Settings) -> http1::Builder {
    let mut builder = http1::Builder::new();
    // The library has no timer of its own; a peer that has sent all it has to say still gets its answer.
    builder.half_close(true);
    // The gate holds the limits; the library's must not be hit first. A head comes together with what follows it.
    builder.max_buf_size(settings.max_head_bytes.saturating_add(LIBRARY_SPARE));
    if settings.max_headers > LIBRARY_HEADERS {
        builder.max_headers(settings.max_headers);
    }
    builder
}

/// Header lines that the library takes by itself; any other number costs it an allocation per request.
const LIBRARY_HEADERS: usize = 100;
/// Bytes that the library may buffer beyond the longest head, in each direction.
const LIBRARY_SPARE: usize = 64 * 1024;

/// Ends what may still use the socket when the task ends, be it by being cut.
struct CutOnDrop<'a>(&'a Wire);

impl Drop for CutOnDrop<'_> {
    fn drop(&mut self) {
        self.0.signals.leave();
        if self.0.signals.has_switched() {
            self.0.cut();
        }
    }
}
