//! Single frames: heads in both directions, masks.

use std::io::Cursor;

use bytes::{Buf, BytesMut};
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

/// Bytes that a control frame may carry (RFC 6455 §5.5).
pub(crate) const LONGEST_CONTROL: usize = 125;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Binary,
    Continuation,
    Close,
    Ping,
    Pong,
}

impl Kind {
    pub(crate) fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }

    fn of(code: OpCode) -> Option<Self> {
        Some(match code {
            OpCode::Data(Data::Text) => Self::Text,
            OpCode::Data(Data::Binary) => Self::Binary,
            OpCode::Data(Data::Continue) => Self::Continuation,
            OpCode::Control(Control::Close) => Self::Close,
            OpCode::Control(Control::Ping) => Self::Ping,
            OpCode::Control(Control::Pong) => Self::Pong,
            OpCode::Data(Data::Reserved(_)) | OpCode::Control(Control::Reserved(_)) => return None,
        })
    }

    fn code(self) -> OpCode {
        match self {
            Self::Text => OpCode::Data(Data::Text),
            Self::Binary => OpCode::Data(Data::Binary),
            Self::Continuation => OpCode::Data(Data::Continue),
            Self::Close => OpCode::Control(Control::Close),
            Self::Ping => OpCode::Control(Control::Ping),
            Self::Pong => OpCode::Control(Control::Pong),
        }
    }
}

/// The head of a frame that comes in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) is_final: bool,
    pub(crate) has_reserved_bits: bool,
    pub(crate) mask: Option<[u8; 4]>,
    /// Bytes of the payload.
    pub(crate) length: u64,
}

/// An operation code that means nothing. Where the frame ends is not known then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownKind;

impl Head {
    /// Takes a head off the front of `inbox`; `None` if it is not whole yet.
    pub(crate) fn take(inbox: &mut BytesMut) -> Result<Option<Self>, UnknownKind> {
        let mut cursor = Cursor::new(&inbox[..]);
        let Some((head, length)) = FrameHeader::parse(&mut cursor).map_err(|_| UnknownKind)? else { return Ok(None) };
        let used = usize::try_from(cursor.position()).unwrap_or(usize::MAX).min(inbox.len());
        inbox.advance(used);
        Ok(Some(Self {
            kind: Kind::of(head.opcode).ok_or(UnknownKind)?,
            is_final: head.is_final,
            has_reserved_bits: head.rsv1 || head.rsv2 || head.rsv3,
            mask: head.mask,
            length,
        }))
    }
}

/// Appends one whole frame of the server's.
pub(crate) fn put(kind: Kind, payload: &[u8], out: &mut Vec<u8>) {
    let head = FrameHeader { opcode: kind.code(), ..FrameHeader::default() };
    out.reserve(head.len(payload.len() as u64) + payload.len());
    // Writing into memory doesn't fail.
    if head.format(payload.len() as u64, out).is_ok() {
        out.extend_from_slice(payload);
    }
}

/// Takes the mask off bytes of a payload, of which the first is the `at`-th.
pub(crate) fn unmask(bytes: &mut [u8], mask: [u8; 4], at: usize) {
    let mut turned = mask;
    turned.rotate_left(at % 4);
    let mut words = bytes.chunks_exact_mut(4);
    for word in &mut words {
        for (byte, key) in word.iter_mut().zip(turned) {
            *byte ^= key;
        }
    }
    for (byte, key) in words.into_remainder().iter_mut().zip(turned) {
        *byte ^= key;
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, put, unmask};

    #[test]
    fn frames_of_the_server_have_the_shortest_head_and_no_mask() {
        let frame = |length: usize| {
            let mut out = Vec::new();
            put(Kind::Text, &vec![b'x'; length], &mut out);
            assert!(out.ends_with(&vec![b'x'; length]));
            out[..out.len() - length].to_vec()
        };
        assert_eq!(frame(0), [0x81, 0]);
        assert_eq!(frame(125), [0x81, 125]);
        assert_eq!(frame(126), [0x81, 126, 0, 126]);
        assert_eq!(frame(65_536), [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn a_mask_goes_on_where_it_stopped() {
        let mask = [1, 2, 4, 8];
        let masked: Vec<u8> = (0..23_u8).zip(mask.into_iter().cycle()).map(|(byte, key)| byte ^ key).collect();
        for cut in 0..masked.len() {
            let (mut start, mut rest) = (masked[..cut].to_vec(), masked[cut..].to_vec());
            unmask(&mut start, mask, 0);
            unmask(&mut rest, mask, cut);
            assert_eq!([start, rest].concat(), (0..23).collect::<Vec<u8>>(), "{cut}");
        }
    }
}
