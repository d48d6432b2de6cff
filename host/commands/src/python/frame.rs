//! The channel's format: a head of 13 bytes (length of the content, kind, number of the call; big-endian), then the content.

use bytes::{BufMut, Bytes, BytesMut};

/// Bytes of a head.
pub(super) const HEAD: usize = 13;

/// The longest content that the interpreter sends.
pub(super) const LONGEST: usize = 2 << 20;

/// The number of what is no call: loading.
pub(super) const LOADING: u64 = 0;

/// What goes to the interpreter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// The first frame: modules. Its kind is not looked at.
    Modules,
    /// What to load. Number 0.
    Load,
    /// A call.
    Call,
}

/// What comes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// A part of a result, more of which follows.
    Part,
    /// The last part of a result.
    End,
    /// An error in place of a result.
    Error,
    /// The call has been begun.
    Begun,
}

/// A head that was read.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) length: usize,
    pub(super) reply: Reply,
    pub(super) number: u64,
}

/// Put a frame together.
pub(super) fn frame(request: Request, number: u64, content: &[u8]) -> Option<Bytes> {
    let mut frame = BytesMut::with_capacity(HEAD + content.len());
    frame.put_u32(u32::try_from(content.len()).ok()?);
    frame.put_u8(match request {
        Request::Modules | Request::Load => 0,
        Request::Call => 1,
    });
    frame.put_u64(number);
    frame.put_slice(content);
    Some(frame.freeze())
}

impl Head {
    /// Read a head. None: it is none that the interpreter's side writes.
    pub(super) fn parse(bytes: [u8; HEAD]) -> Option<Self> {
        let [l0, l1, l2, l3, kind, number @ ..] = bytes;
        let length = usize::try_from(u32::from_be_bytes([l0, l1, l2, l3])).ok()?;
        let reply = match kind {
            0 => Reply::Part,
            1 => Reply::End,
            2 => Reply::Error,
            3 => Reply::Begun,
            _ => return None,
        };
        (length <= LONGEST).then_some(Self { length, reply, number: u64::from_be_bytes(number) })
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, Head, Reply, Request, frame};

    #[test]
    fn a_frame_is_a_head_and_its_content() {
        let frame = frame(Request::Call, 7, b"{}").unwrap();
        assert_eq!(&frame[..], b"\0\0\0\x02\x01\0\0\0\0\0\0\0\x07{}");
    }

    #[test]
    fn only_heads_of_the_other_side_are_read() {
        let head = |start: [u8; 5]| {
            let mut bytes = [0; HEAD];
            bytes[..5].copy_from_slice(&start);
            bytes[12] = 9;
            Head::parse(bytes).map(|head| (head.length, head.reply, head.number))
        };
        assert_eq!(head([0, 0, 1, 0, 0]), Some((256, Reply::Part, 9)));
        assert_eq!(head([0, 0, 0, 0, 3]), Some((0, Reply::Begun, 9)));
        assert_eq!(head([0, 0, 0, 0, 4]), None);
        assert_eq!(head([255, 0, 0, 0, 0]), None);
    }
}
