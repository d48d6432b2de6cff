//! What stands between the socket and the HTTP library: bytes wait here until a whole request head has passed its scan,
//! and the bytes of one message are handed over before those of the next are looked at.
//!
//! A gate does no I/O. The connection's I/O object asks it what may be handed over; the connection task asks it how
//! long it has been waiting for what. Memory: one head at most, plus one read.

use bytes::{Buf, BytesMut};
use tokio::time::Instant;

use crate::head::{Framing, Head, HeadScan};
use crate::rejection::Rejection;
use crate::settings::Settings;
use crate::signals::Lull;

/// Size of a read while heads are expected.
const HEAD_READ: usize = 8 * 1024;
/// Size of a read while a body comes in.
const BODY_READ: usize = 64 * 1024;
/// Bytes read while nobody asks for them, to see whether the peer is still there.
const READ_AHEAD: usize = 16 * 1024;

/// What the HTTP library gets for a read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// So many bytes at the front of the inbox.
    Bytes(usize),
    /// The socket must be read first.
    More,
    /// The end of the connection, be it true or because of a verdict.
    End,
    /// The peer sent no byte of a declared body for too long.
    BodyTimedOut,
}

/// What a connection is waiting for from its peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// The first byte of a request.
    Idle,
    /// The rest of a head.
    Head,
    /// The next byte of a body.
    Body,
}

/// Why nothing more is read although the peer may have more to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The head gets this answer, the last one of the connection.
    Rejected(Rejection),
    /// The connection was idle and is no longer wanted.
    Unused,
}

#[derive(Debug)]
enum Phase {
    /// The library asked for a head. `began` is set when a head has begun and not ended in one read.
    Head { scan: HeadScan, began: Option<Instant> },
    /// A head has passed; so much of it and of its body is still to be handed over.
    Message { head: usize, body: u64 },
    /// All of a message is handed over, its answer may still be on its way.
    Exchange,
    /// Nothing is looked at any more: another protocol, or a body whose end isn't known.
    Open,
}

impl Phase {
    fn head() -> Self {
        Self::Head { scan: HeadScan::default(), began: None }
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Gate {
    limits: Settings,
    inbox: BytesMut,
    phase: Phase,
    /// Start of the silence: since when the library wants a head, or bytes of a body, and gets none.
    since: Instant,
    /// The library found inbox and socket empty.
    starved: bool,
    /// No request has come yet.
    fresh: bool,
    http10: bool,
    eof: bool,
    body_timed_out: bool,
    verdict: Option<Verdict>,
}

impl Gate {
    pub(crate) fn new(limits: Settings) -> Self {
        Self {
            limits,
            inbox: BytesMut::new(),
            phase: Phase::head(),
            since: Instant::now(),
            starved: false,
            fresh: true,
            http10: false,
            eof: false,
            body_timed_out: false,
            verdict: None,
        }
    }

    /// Decides about a read of the library. What it allows is taken with [`Gate::hand_over`].
    pub(crate) fn supply(&mut self) -> Supply {
        if self.verdict.is_some() {
            return Supply::End;
        }
        if let Phase::Exchange = self.phase {
            self.phase = Phase::head();
            self.since = Instant::now();
        }
        if let Err(rejection) = self.scan() {
            self.verdict = Some(Verdict::Rejected(rejection));
            return Supply::End;
        }
        let allowed = match self.phase {
            Phase::Message { head, body } => head.saturating_add(usize::try_from(body).unwrap_or(usize::MAX)),
            Phase::Head { .. } | Phase::Exchange => 0,
            Phase::Open => usize::MAX,
        };
        match self.inbox.len().min(allowed) {
            0 if self.body_timed_out => Supply::BodyTimedOut,
            0 if self.eof => {
                if self.is_inside_head() {
                    self.verdict = Some(Verdict::Rejected(Rejection::Truncated));
                }
                Supply::End
            }
            0 => Supply::More,
            bytes => Supply::Bytes(bytes),
        }
    }

    /// Looks at the head in the inbox, if that is what the library waits for.
    fn scan(&mut self) -> Result<(), Rejection> {
        let Phase::Head { scan, began } = &mut self.phase else { return Ok(()) };
        if began.is_none() {
            // Empty lines between requests are noise (RFC 9112 §2.2) and don't start a head.
            let noise = self.inbox.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.inbox.advance(noise);
        }
        if self.inbox.is_empty() {
            return Ok(());
        }
        let Some(head) = scan.advance(&self.inbox, &self.limits)? else {
            began.get_or_insert_with(Instant::now);
            return Ok(());
        };
        self.fresh = false;
        self.http10 = head.http10;
        let length = self.edit(&head);
        self.phase = match head.body {
            Framing::Length(body) => Phase::Message { head: length, body },
            Framing::Coded => Phase::Open,
        };
        Ok(())
    }

    /// Brings a head into the form that the library takes; returns its new length.
    ///
    /// * A target without a path gets its `/` (contract: pipeline §3); the library would refuse it.
    /// * Offers to switch to a protocol not spoken here are taken out (a server may ignore them, RFC 9110 §7.8). The
    ///   library would keep the connection marked for a switch and drop unwritten bytes when it ends.
    fn edit(&mut self, head: &Head) -> usize {
        if head.bare_target.is_none() && head.foreign_upgrades.is_empty() {
            return head.length;
        }
        let rest = self.inbox.split_off(head.length);
        let old = std::mem::take(&mut self.inbox);
        let mut from = 0;
        if let Some(target) = head.bare_target {
            self.inbox.extend_from_slice(old.get(..target).unwrap_or_default());
            self.inbox.extend_from_slice(b"/");
            from = target;
        }
        for line in &head.foreign_upgrades {
            self.inbox.extend_from_slice(old.get(from..line.start).unwrap_or_default());
            from = line.end;
        }
        self.inbox.extend_from_slice(old.get(from..).unwrap_or_default());
        let length = self.inbox.len();
        self.inbox.unsplit(rest);
        length
    }

    /// Gives `bytes` of the last [`Supply::Bytes`], or fewer, to `take`.
    pub(crate) fn hand_over(&mut self, bytes: usize, take: impl FnOnce(&[u8])) {
        take(self.inbox.get(..bytes).unwrap_or_default());
        self.inbox.advance(bytes.min(self.inbox.len()));
        if let Phase::Message { head, body } = &mut self.phase {
            let of_head = bytes.min(*head);
            *head -= of_head;
            *body = body.saturating_sub((bytes - of_head) as u64);
            if *head == 0 && *body == 0 {
                self.phase = Phase::Exchange;
            }
        }
    }

    /// Room for the next read from the socket, to be followed by [`Gate::fed`].
    pub(crate) fn inbox(&mut self) -> &mut BytesMut {
        let room =
            if matches!(self.phase, Phase::Message { head: 0, .. } | Phase::Open) { BODY_READ } else { HEAD_READ };
        self.inbox.reserve(room);
        &mut self.inbox
    }

    /// The socket had something.
    pub(crate) fn fed(&mut self) {
        self.starved = false;
    }

    /// The peer will send nothing more.
    pub(crate) fn end(&mut self) {
        self.eof = true;
    }

    /// The library wanted bytes and the socket had none.
    pub(crate) fn starve(&mut self) {
        if !self.starved && !matches!(self.phase, Phase::Head { .. }) {
            self.since = Instant::now();
        }
        self.starved = true;
        if self.inbox.is_empty() && self.inbox.capacity() > HEAD_READ {
            self.inbox = BytesMut::new();
        }
    }

    /// Nothing is examined from here on: the answer switched to another protocol.
    pub(crate) fn open(&mut self) {
        self.phase = Phase::Open;
    }

    /// What is being waited for and until when; `None` while it is not the peer's turn.
    pub(crate) fn deadline(&self) -> Option<(Waiting, Instant)> {
        if self.verdict.is_some() || self.eof {
            return None;
        }
        match self.phase {
            Phase::Head { began: Some(began), .. } => Some((Waiting::Head, began + self.limits.head_timeout)),
            Phase::Head { began: None, .. } => {
                let patience = if self.fresh { self.limits.head_timeout } else { self.limits.idle_timeout };
                Some((Waiting::Idle, self.since + patience))
            }
            Phase::Message { .. } | Phase::Open if self.starved && !self.body_timed_out => {
                Some((Waiting::Body, self.since + self.limits.body_idle_timeout))
            }
            Phase::Message { .. } | Phase::Open | Phase::Exchange => None,
        }
    }

    /// The deadline for `waiting` has passed. The library must be polled again.
    pub(crate) fn expire(&mut self, waiting: Waiting) {
        match waiting {
            Waiting::Idle => self.verdict = Some(Verdict::Unused),
            Waiting::Head => self.verdict = Some(Verdict::Rejected(Rejection::SlowHead)),
            Waiting::Body => {
                self.body_timed_out = true;
                self.starved = false;
            }
        }
    }

    /// Ends the connection if it is in a lull; true if so. A head that has begun is refused.
    pub(crate) fn dismiss(&mut self) -> bool {
        let verdict = self.lull().map(|lull| match lull {
            Lull::Idle => Verdict::Unused,
            Lull::Head => Verdict::Rejected(Rejection::Crowded),
        });
        self.verdict = verdict.or(self.verdict);
        verdict.is_some()
    }

    /// What the peer could be told now without losing anything that it has asked for.
    pub(crate) fn lull(&self) -> Option<Lull> {
        match self.verdict {
            None if self.is_idle() => Some(Lull::Idle),
            None if self.is_inside_head() => Some(Lull::Head),
            _ => None,
        }
    }

    /// The server stops. A request in flight goes on, a head that has begun is refused.
    pub(crate) fn stop(&mut self) {
        if self.verdict.is_none() && self.is_inside_head() {
            self.verdict = Some(Verdict::Rejected(Rejection::Stopping));
        }
    }

    /// Between two requests, with nothing of the next one there.
    fn is_idle(&self) -> bool {
        self.verdict.is_none() && matches!(self.phase, Phase::Head { began: None, .. }) && self.inbox.is_empty()
    }

    fn is_inside_head(&self) -> bool {
        matches!(self.phase, Phase::Head { .. }) && !self.inbox.is_empty()
    }

    /// Nobody waits for bytes, so nobody would notice that the peer leaves; and there is room to read ahead.
    pub(crate) fn wants_watching(&self) -> bool {
        !self.starved && !self.eof && self.inbox.len() < READ_AHEAD
    }

    /// The peer has ended its side.
    pub(crate) fn is_at_eof(&self) -> bool {
        self.eof
    }

    /// The last request was HTTP/1.0.
    pub(crate) fn is_http10(&self) -> bool {
        self.http10
    }

    /// See [`Verdict`].
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}

#[cfg(test)]
mod tests;
