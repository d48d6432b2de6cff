//! Polls the HTTP library's connection together with everything that may end it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use hyper::server::conn::http1::UpgradeableConnection;
use tokio::time::Instant;

use crate::alarm::Alarm;
use crate::body::Leftover;
use crate::exchange::Exchange;
use crate::gate::Verdict;
use crate::rejection::Rejection;
use crate::service::HttpService;
use crate::settings::Settings;
use crate::signals::Order;
use crate::wire::{Deadline, Wire, WireIo};

/// How the HTTP part of a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Everything was said on both sides.
    Finished,
    /// The last answer is written, but the peer may have more to say.
    Answered,
    /// A head got no further, and its answer is still to be written.
    Refused(Rejection),
    /// The peer is gone.
    Lost,
    /// An answer broke off, and only a reset can tell the peer.
    Broken,
    /// Another protocol has taken the socket over.
    Switched,
}

/// Future of the HTTP part of a connection.
pub(super) struct Driver<S: HttpService> {
    wire: Arc<Wire>,
    connection: UpgradeableConnection<WireIo, Exchange<S>>,
    settings: Settings,
    alarm: Alarm,
    leftover: Option<Leftover>,
    /// Watches for a reset once the peer has ended its side; reads tell nothing any more then.
    reset: Option<BoxFuture<'static, ()>>,
}

impl<S: HttpService> Driver<S> {
    pub(super) fn new(
        wire: Arc<Wire>,
        connection: UpgradeableConnection<WireIo, Exchange<S>>,
        settings: Settings,
    ) -> Self {
        Self { wire, connection, settings, alarm: Alarm::default(), leftover: None, reset: None }
    }

    fn obey(&mut self) {
        match self.wire.signals.take_order() {
            None => {}
            Some(Order::MakeRoom) => self.make_room(),
            Some(Order::Stop) => {
                self.wire.traffic().gate.stop();
                Pin::new(&mut self.connection).graceful_shutdown();
            }
        }
    }

    fn make_room(&self) {
        if self.wire.traffic().gate.dismiss() {
            self.wire.signals.set_lull(None);
        }
    }

    /// Goes on with the rest of an unread body; true when the library must be polled again.
    fn poll_leftover(&mut self, cx: &mut Context<'_>) -> bool {
        if let Some(body) = self.wire.signals.take_leftover() {
            self.leftover = Some(Leftover::new(body, Instant::now() + self.settings.discard_timeout));
        }
        let over = self.leftover.as_mut().is_some_and(|leftover| leftover.poll_end(cx));
        if over {
            self.leftover = None;
        }
        over
    }

    /// Acts on a deadline that has passed. `Ready(None)` means that the library must be polled again.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<Option<Ending>> {
        if let Some(deadline) = self.leftover.as_ref().map(Leftover::deadline)
            && self.alarm.poll_passed(deadline, cx)
        {
            self.leftover = None;
            return Poll::Ready(None);
        }
        let Some((deadline, at)) = self.wire.deadline() else { return Poll::Pending };
        if !self.alarm.poll_passed(at, cx) {
            return Poll::Pending;
        }
        match deadline {
            Deadline::Writing => Poll::Ready(Some(Ending::Broken)),
            Deadline::Waiting(waiting) => {
                self.wire.traffic().gate.expire(waiting);
                Poll::Ready(None)
            }
        }
    }

    fn poll_peer_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.wire.poll_watch(cx).is_ready() {
            return Poll::Ready(());
        }
        if self.reset.is_none() && self.wire.traffic().gate.is_at_eof() {
            self.reset = Some(Box::pin(Arc::clone(&self.wire).reset()));
        }
        self.reset.as_mut().map_or(Poll::Pending, |reset| reset.as_mut().poll(cx))
    }

    fn ending(&self, result: Result<(), hyper::Error>) -> Ending {
        if self.wire.signals.has_switched() {
            return Ending::Switched;
        }
        let traffic = self.wire.traffic();
        match (traffic.gate.verdict(), result) {
            (Some(Verdict::Rejected(rejection)), _) => Ending::Refused(rejection),
            (Some(Verdict::Unused), _) => Ending::Finished,
            (None, Ok(())) if traffic.gate.is_at_eof() => Ending::Finished,
            (None, Ok(())) => Ending::Answered,
            (None, Err(error)) if error.is_parse() && !traffic.answering => Ending::Refused(Rejection::Malformed),
            // Without chunks the close is the end of the answer, so it must not look like one.
            (None, Err(error)) if error.is_user() && traffic.gate.is_http10() => Ending::Broken,
            (None, Err(_)) => Ending::Answered,
        }
    }
}

impl<S: HttpService> Future for Driver<S> {
    type Output = Ending;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ending> {
        let this = &mut *self;
        this.wire.signals.task.register(cx.waker());
        this.obey();
        loop {
            if let Poll::Ready(result) = Pin::new(&mut this.connection).poll(cx) {
                return Poll::Ready(this.ending(result));
            }
            if this.poll_leftover(cx) {
                continue;
            }
            match this.poll_deadline(cx) {
                Poll::Ready(Some(ending)) => return Poll::Ready(ending),
                Poll::Ready(None) => continue,
                Poll::Pending => {}
            }
            return this.poll_peer_gone(cx).map(|()| Ending::Lost);
        }
    }
}
