use ::base64::Engine;
use ::base64::prelude::BASE64_STANDARD;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::base64::{Base64Error, Decoder, Encoder, SpoolDecoder, decoded_len, encoded_len};
use crate::spool::{Spool, SpoolConfig, SpoolWriter};

fn decode(pieces: &[&[u8]]) -> Result<Vec<u8>, Base64Error> {
    let (mut decoder, mut bytes) = (Decoder::new(), Vec::new());
    pieces.iter().try_for_each(|piece| decoder.push(piece, &mut bytes))?;
    decoder.finish()?;
    Ok(bytes)
}

fn spooled(text: &[u8], memory: usize) -> Spool {
    let mut writer = SpoolWriter::new(SpoolConfig { memory, directory: None });
    writer.write(text).unwrap();
    writer.finish().unwrap()
}

#[test]
fn strict_base64_is_decoded() {
    let rows: [(&str, &[u8]); 9] = [
        ("", b""),
        ("aGVsbG8=", b"hello"),
        ("aGk=", b"hi"),
        ("aGl=", b"hi"),
        ("aGv=", b"hk"),
        ("YQ==", b"a"),
        ("YR==", b"a"),
        ("YWJj", b"abc"),
        ("+/+/", b"\xfb\xff\xbf"),
    ];
    for (text, bytes) in rows {
        assert_eq!(decode(&[text.as_bytes()]).unwrap(), bytes, "{text}");
    }
}

#[test]
fn anything_else_is_invalid() {
    for text in [
        "a", "aG", "aGk", "aGVsbG8", "=", "==", "====", "a===", "aG=k", "a=Gk", "aGk==", "aGk=\n", " aGk=", "aG k=",
        "aG\nk", "-_-_", "aGk=aGk=", "aGk=YWJj", "YQ==YQ==", "aGk=====", "aGk!", "aGk=\0", "aGké", "YWJj=", "YWJj====",
    ] {
        let bytes = text.as_bytes();
        assert!(decode(&[bytes]).is_err(), "{text}");
        assert!(decode(&bytes.chunks(1).collect::<Vec<_>>()).is_err(), "{text} by bytes");
        assert!(matches!(decoded_len(&spooled(bytes, 100)), Err(Base64Error::Invalid)), "{text} spooled");
    }
}

#[test]
fn spool_is_decoded_in_two_passes() {
    let bytes: Vec<u8> = (0..300_001_u32).map(|at| (at % 251) as u8).collect();
    let text = BASE64_STANDARD.encode(&bytes);
    for memory in [0, 1 << 20] {
        let spool = spooled(text.as_bytes(), memory);
        assert_eq!(decoded_len(&spool).unwrap(), 300_001);
        let (mut decoder, mut decoded) = (SpoolDecoder::new(&spool), Vec::new());
        while let Some(chunk) = decoder.next_chunk().unwrap() {
            decoded.extend_from_slice(chunk);
        }
        assert_eq!(decoded, bytes);
        assert!(decoder.next_chunk().unwrap().is_none());
    }
}

#[test]
fn fault_behind_the_first_chunk_is_found_by_the_check() {
    let text = format!("{}aGk", "YWJj".repeat(50_000));
    assert!(matches!(decoded_len(&spooled(text.as_bytes(), 0)), Err(Base64Error::Invalid)));
}

#[test]
fn encoded_length_counts_the_padding() {
    for (bytes, text) in [(0, 0), (1, 4), (2, 4), (3, 4), (4, 8), (10_485_760, 13_981_016)] {
        assert_eq!(encoded_len(bytes), Some(text));
    }
    assert_eq!(encoded_len(u64::MAX), None);
}

proptest! {
    #[test]
    fn pieces_make_no_difference(pieces in vec(vec(any::<u8>(), 0..10), 0..10), size in 1..9_usize) {
        let (mut encoder, mut text) = (Encoder::new(), String::new());
        pieces.iter().for_each(|piece| encoder.push(piece, &mut text));
        encoder.finish(&mut text);
        let bytes = pieces.concat();
        prop_assert_eq!(&text, &BASE64_STANDARD.encode(&bytes));
        prop_assert_eq!(Some(text.len() as u64), encoded_len(bytes.len() as u64));
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        prop_assert_eq!(decode(&pieces).unwrap(), bytes);
    }

    #[test]
    fn any_text_is_judged_alike_in_any_pieces(text in "[A-Za-z+/=\n-]{0,12}", size in 1..9_usize) {
        let whole = decode(&[text.as_bytes()]).ok();
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        prop_assert_eq!(decode(&pieces).ok(), whole);
    }
}
