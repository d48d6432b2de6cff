//! From bytes to messages: frames are put together, masks taken off, limits held. No I/O.
//!
//! Memory: a message up to its limit, and what was read beyond it.

#[cfg(test)]
mod tests;

use bytes::{Bytes, BytesMut};

use crate::close::Close;
use crate::frame::{Head, Kind, LONGEST_CONTROL, unmask};

/// A whole message of the peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whether it came as text. That a text is UTF-8 is not checked.
    pub is_text: bool,
    /// What it says.
    pub payload: Bytes,
}

/// What the peer has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    Message(Message),
    Ping(Bytes),
    Pong(Bytes),
    /// It closes. Nothing that follows counts.
    Close(Option<Close>),
}

/// What a look for the peer's close frame came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Close,
    /// Not yet.
    Nothing,
    /// Where frames begin is not known any more.
    Lost,
}

/// A frame whose payload is coming.
#[derive(Debug)]
struct Open {
    head: Head,
    /// Bytes of the payload that have come.
    had: u64,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Decoder {
    most: usize,
    inbox: BytesMut,
    open: Option<Open>,
    /// The message of which a part has come, and whether it is text.
    message: Option<(bool, BytesMut)>,
    control: BytesMut,
    lost: bool,
}

impl Decoder {
    /// Messages of at most so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, inbox: BytesMut::new(), open: None, message: None, control: BytesMut::new(), lost: false }
    }

    /// Where bytes are to be appended as they come.
    pub(crate) fn inbox(&mut self) -> &mut BytesMut {
        &mut self.inbox
    }

    /// The next thing that is whole; `None`: more bytes are needed.
    ///
    /// # Errors
    /// What to close with. From then on only [`Decoder::find_close`] may be used.
    pub(crate) fn next(&mut self) -> Result<Option<Incoming>, Close> {
        loop {
            if self.open.is_none() {
                let Some(head) = self.head()? else { return Ok(None) };
                self.open = Some(Open { head, had: 0 });
                self.check(head)?;
            }
            self.take_payload();
            match self.open.take_if(|open| open.had == open.head.length) {
                None => return Ok(None),
                Some(open) => {
                    if let Some(incoming) = self.finish(open.head)? {
                        return Ok(Some(incoming));
                    }
                }
            }
        }
    }

    /// Goes on after the last word has been said: throws everything away up to the peer's close frame.
    pub(crate) fn find_close(&mut self) -> Found {
        loop {
            if self.lost {
                self.inbox.clear();
                return Found::Lost;
            }
            let Some(open) = &mut self.open else {
                match self.head() {
                    Ok(Some(head)) => self.open = Some(Open { head, had: 0 }),
                    Ok(None) => return Found::Nothing,
                    Err(_) => {}
                }
                continue;
            };
            let rest = open.head.length.saturating_sub(open.had);
            let skipped = usize::try_from(rest).unwrap_or(usize::MAX).min(self.inbox.len());
            open.had += skipped as u64;
            let is_whole = open.had == open.head.length;
            let is_close = open.head.kind == Kind::Close;
            drop(self.inbox.split_to(skipped));
            match (is_whole, is_close) {
                (false, _) => return Found::Nothing,
                (true, true) => return Found::Close,
                (true, false) => self.open = None,
            }
        }
    }

    fn head(&mut self) -> Result<Option<Head>, Close> {
        Head::take(&mut self.inbox).map_err(|_| {
            self.lost = true;
            Close::protocol_error()
        })
    }

    /// What can be judged before the payload has come.
    fn check(&self, head: Head) -> Result<(), Close> {
        let Head { kind, is_final, has_reserved_bits, mask, length } = head;
        let breaks_control = kind.is_control() && (!is_final || length > LONGEST_CONTROL as u64);
        let breaks_order = match kind {
            Kind::Continuation => self.message.is_none(),
            Kind::Text | Kind::Binary => self.message.is_some(),
            Kind::Close | Kind::Ping | Kind::Pong => false,
        };
        if has_reserved_bits || mask.is_none() || breaks_control || breaks_order {
            return Err(Close::protocol_error());
        }
        let before = self.message.as_ref().map_or(0, |(_, payload)| payload.len());
        if !kind.is_control() && length > (self.most - before.min(self.most)) as u64 {
            return Err(Close::too_big());
        }
        Ok(())
    }

    /// Moves what has come of the open frame's payload to where it belongs.
    fn take_payload(&mut self) {
        let Some(open) = &mut self.open else { return };
        let rest = open.head.length.saturating_sub(open.had);
        let taken = usize::try_from(rest).unwrap_or(usize::MAX).min(self.inbox.len());
        let mut piece = self.inbox.split_to(taken);
        let at = usize::try_from(open.had % 4).unwrap_or(0);
        unmask(&mut piece, open.head.mask.unwrap_or_default(), at);
        open.had += taken as u64;
        if open.head.kind.is_control() {
            self.control.extend_from_slice(&piece);
            return;
        }
        let (_, payload) = self.message.get_or_insert_with(|| (open.head.kind == Kind::Text, BytesMut::new()));
        payload.extend_from_slice(&piece);
    }

    /// A frame is whole.
    fn finish(&mut self, head: Head) -> Result<Option<Incoming>, Close> {
        if head.kind.is_control() {
            let payload = self.control.split().freeze();
            return Ok(Some(match head.kind {
                Kind::Ping => Incoming::Ping(payload),
                Kind::Pong => Incoming::Pong(payload),
                _ => Incoming::Close(Close::read(&payload)?),
            }));
        }
        if !head.is_final {
            return Ok(None);
        }
        let message = self.message.take();
        Ok(message.map(|(is_text, payload)| Incoming::Message(Message { is_text, payload: payload.freeze() })))
    }
}
