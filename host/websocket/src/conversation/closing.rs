//! The closing handshake (RFC 6455 §7.1.2): each side sends one close frame, then the server ends the connection.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use super::Closed;
use super::inbound::Inbound;
use super::outbound::Outbound;

/// Sends this side's frame and waits for the peer's, at most `within` in all. What the peer still sends is read and thrown
/// away: a connection that is closed with unread bytes is reset, and the reset may overtake the close frame.
pub(super) async fn close<S>(mut inbound: Inbound<S>, mut outbound: Outbound<S>, closed: &Closed, within: Duration)
where
    S: AsyncRead + AsyncWrite + Send,
{
    match closed {
        Closed::Lost => return,
        Closed::ByPeer(close) => {
            outbound.queue_close(close.as_ref());
            let _ = timeout(within, outbound.finish()).await;
        }
        Closed::ByUs(close) => {
            outbound.queue_close(Some(close));
            let _ = timeout(within, async { tokio::join!(outbound.finish(), inbound.find_close()) }).await;
        }
    }
    let _ = timeout(within, outbound.shut_down()).await;
}
