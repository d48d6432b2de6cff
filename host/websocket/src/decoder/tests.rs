//! Frames as a client sends them: by hand, and by `tungstenite` as the other opinion.

use bytes::Bytes;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

use super::{Decoder, Found, Incoming, Message};
use crate::close::Close;

const MASK: [u8; 4] = [0x11, 0x80, 0xff, 0x01];

fn data(is_text: bool) -> OpCode {
    OpCode::Data(if is_text { Data::Text } else { Data::Binary })
}

/// A frame of a client.
fn frame(opcode: OpCode, is_final: bool, payload: &[u8]) -> Vec<u8> {
    let head = FrameHeader { is_final, opcode, mask: Some(MASK), ..FrameHeader::default() };
    let mut bytes = Vec::new();
    head.format(payload.len() as u64, &mut bytes).unwrap();
    bytes.extend(payload.iter().zip(MASK.into_iter().cycle()).map(|(byte, key)| byte ^ key));
    bytes
}

fn text(payload: &str) -> Vec<u8> {
    frame(data(true), true, payload.as_bytes())
}

fn message(is_text: bool, payload: &[u8]) -> Incoming {
    Incoming::Message(Message { is_text, payload: Bytes::copy_from_slice(payload) })
}

/// What a decoder makes of bytes that come in such pieces.
fn decoded<'a>(most: usize, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Incoming>, Option<Close>) {
    let mut decoder = Decoder::new(most);
    let mut all = Vec::new();
    for piece in pieces {
        decoder.inbox().extend_from_slice(piece);
        loop {
            match decoder.next() {
                Ok(Some(incoming)) => all.push(incoming),
                Ok(None) => break,
                Err(close) => return (all, Some(close)),
            }
        }
    }
    (all, None)
}

fn code(bytes: &[u8]) -> Option<u16> {
    decoded(1000, [bytes]).1.map(|close| close.code())
}

#[test]
fn fragments_make_one_message_with_control_frames_between() {
    let bytes = [
        frame(data(true), false, b"{\"a\""),
        frame(OpCode::Control(Control::Ping), true, b"p"),
        frame(OpCode::Data(Data::Continue), false, b""),
        frame(OpCode::Data(Data::Continue), true, b":1}"),
        frame(data(false), true, b"\xff\x00"),
    ]
    .concat();
    let expected =
        vec![Incoming::Ping(Bytes::from_static(b"p")), message(true, b"{\"a\":1}"), message(false, b"\xff\x00")];
    assert_eq!(decoded(1000, [&bytes[..]]), (expected.clone(), None));
    // Byte by byte it is the same.
    assert_eq!(decoded(1000, bytes.chunks(1)), (expected, None));
}

#[test]
fn bad_utf8_is_for_the_user_to_judge() {
    assert_eq!(decoded(1000, [&frame(data(true), true, b"\xff")[..]]), (vec![message(true, b"\xff")], None));
}

#[test]
fn a_message_is_bounded_before_it_comes() {
    let fits = [frame(data(true), false, &[b'x'; 600]), frame(OpCode::Data(Data::Continue), true, &[b'x'; 400])];
    assert_eq!(decoded(1000, [&fits.concat()[..]]), (vec![message(true, &[b'x'; 1000])], None));
    // Only heads: the payloads never come.
    assert_eq!(code(&frame(data(true), true, &[b'x'; 1001])[..8]), Some(1009));
    let second = frame(OpCode::Data(Data::Continue), true, &[b'x'; 401]);
    assert_eq!(code(&[&fits[0], &second[..8]].concat()), Some(1009));
    let endless = [[0x82, 0xff].as_slice(), &u64::MAX.to_be_bytes(), &MASK].concat();
    assert_eq!(code(&endless), Some(1009));
}

#[test]
fn what_breaks_the_protocol_is_named_so() {
    let continuation = OpCode::Data(Data::Continue);
    let mut unmasked = text("a");
    unmasked[1] &= 0x7f;
    let mut reserved = text("a");
    reserved[0] |= 0x40;
    for (what, bytes) in [
        ("no mask", unmasked),
        ("reserved bits", reserved),
        ("unknown data", [0x83, 0x80, 0, 0, 0, 0].to_vec()),
        ("unknown control", [0x8b, 0x80, 0, 0, 0, 0].to_vec()),
        ("nothing to continue", frame(continuation, true, b"a")),
        ("text in a text", [frame(data(true), false, b"a"), text("b")].concat()),
        ("fragmented ping", frame(OpCode::Control(Control::Ping), false, b"")),
        ("long ping", frame(OpCode::Control(Control::Ping), true, &[0; 126])),
        ("long close", frame(OpCode::Control(Control::Close), true, &[3; 126])),
        ("half a code", frame(OpCode::Control(Control::Close), true, &[3])),
    ] {
        assert_eq!(code(&bytes), Some(1002), "{what}");
    }
}

#[test]
fn closing_looks_past_what_is_left() {
    let close = frame(OpCode::Control(Control::Close), true, &[3, 232]);
    let mut decoder = Decoder::new(10);
    decoder.inbox().extend_from_slice(&frame(data(true), true, &[b'x'; 5000])[..100]);
    assert_eq!(decoder.next().unwrap_err().code(), 1009);
    assert_eq!(decoder.find_close(), Found::Nothing);
    decoder.inbox().extend_from_slice(&frame(data(true), true, &[b'x'; 5000])[100..]);
    decoder.inbox().extend_from_slice(&text("more"));
    assert_eq!(decoder.find_close(), Found::Nothing);
    decoder.inbox().extend_from_slice(&close[..5]);
    assert_eq!(decoder.find_close(), Found::Nothing);
    decoder.inbox().extend_from_slice(&close[5..]);
    assert_eq!(decoder.find_close(), Found::Close);
}

#[test]
fn an_unknown_frame_has_no_end() {
    let mut decoder = Decoder::new(10);
    decoder.inbox().extend_from_slice(&[0x83, 0x80, 0, 0, 0, 0]);
    assert_eq!(decoder.next().unwrap_err().code(), 1002);
    decoder.inbox().extend_from_slice(&frame(OpCode::Control(Control::Close), true, &[3, 232]));
    assert_eq!(decoder.find_close(), Found::Lost);
}

/// What a client may send, as its frames and as what they mean.
fn sent() -> impl Strategy<Value = (Vec<u8>, Incoming)> {
    let payload = || proptest::collection::vec(any::<u8>(), 0..300);
    let parts = proptest::collection::vec(payload(), 1..4);
    let message = (any::<bool>(), parts).prop_map(|(is_text, parts)| {
        let last = parts.len() - 1;
        let frames = parts.iter().enumerate().flat_map(|(at, part)| {
            let opcode = if at == 0 { data(is_text) } else { OpCode::Data(Data::Continue) };
            frame(opcode, at == last, part)
        });
        (frames.collect(), message(is_text, &parts.concat()))
    });
    let control = (any::<bool>(), proptest::collection::vec(any::<u8>(), 0..=125)).prop_map(|(is_ping, payload)| {
        let bytes = Bytes::from(payload.clone());
        match is_ping {
            true => (frame(OpCode::Control(Control::Ping), true, &payload), Incoming::Ping(bytes)),
            false => (frame(OpCode::Control(Control::Pong), true, &payload), Incoming::Pong(bytes)),
        }
    });
    prop_oneof![message, control]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn messages_survive_any_cuts((sent, size) in (proptest::collection::vec(sent(), 0..6), prop_oneof![Just(1_usize), 1..400_usize])) {
        let bytes: Vec<u8> = sent.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        let expected: Vec<_> = sent.into_iter().map(|(_, incoming)| incoming).collect();
        prop_assert_eq!(decoded(1 << 20, bytes.chunks(size)), (expected, None));
    }

    #[test]
    fn any_bytes_end_in_messages_or_a_close(bytes in proptest::collection::vec(any::<u8>(), 0..200), size in 1..20_usize) {
        let (_, close) = decoded(64, bytes.chunks(size));
        if let Some(close) = close {
            assert!(matches!(close.code(), 1002 | 1007 | 1009));
        }
        let mut decoder = Decoder::new(64);
        for chunk in bytes.chunks(size) {
            decoder.inbox().extend_from_slice(chunk);
            let _ = decoder.find_close();
        }
    }
}
