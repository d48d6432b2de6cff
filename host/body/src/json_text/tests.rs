use proptest::collection::vec;
use proptest::prelude::*;

use crate::json_text::TextEncoder;

fn encode(pieces: &[&[u8]]) -> String {
    let (mut encoder, mut text) = (TextEncoder::new(), String::new());
    pieces.iter().for_each(|piece| encoder.push(piece, &mut text));
    encoder.finish(&mut text);
    text
}

#[test]
fn bytes_become_the_inside_of_a_string() {
    let rows: [(&[u8], &str); 10] = [
        (b"", ""),
        (b"plain", "plain"),
        (b"say \"hi\" \\ /", r#"say \"hi\" \\ /"#),
        (b"a\nb\r\tc", r"a\nb\r\tc"),
        (b"\xff\xfeA\x00B", "\u{fffd}\u{fffd}A\\u0000B"),
        (b"\x01\x1b\x1f\x7f", "\\u0001\\u001b\\u001f\u{7f}"),
        ("é≤🤣".as_bytes(), "é≤🤣"),
        (b"\xe2\x89 \xe2\x89", "\u{fffd} \u{fffd}"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xf0\x9f\xa4", "\u{fffd}"),
    ];
    for (bytes, text) in rows {
        assert_eq!(encode(&[bytes]), text, "{bytes:x?}");
        assert_eq!(encode(&bytes.chunks(1).collect::<Vec<_>>()), text, "{bytes:x?} by bytes");
    }
}

#[test]
fn characters_survive_every_border() {
    let text = "你".repeat(1000);
    for size in [1, 2, 4, 5, 1024] {
        assert_eq!(encode(&text.as_bytes().chunks(size).collect::<Vec<_>>()), text);
    }
}

proptest! {
    #[test]
    fn text_reads_back_as_the_lossy_text(
        pieces in vec(prop_oneof![vec(any::<u8>(), 0..80), any::<String>().prop_map(String::into_bytes)], 0..6),
        size in 1..5_usize,
    ) {
        let bytes = pieces.concat();
        let text = encode(&pieces.iter().map(Vec::as_slice).collect::<Vec<_>>());
        prop_assert_eq!(&encode(&bytes.chunks(size).collect::<Vec<_>>()), &text);
        let read: String = serde_json::from_str(&format!("\"{text}\"")).unwrap();
        prop_assert_eq!(read, String::from_utf8_lossy(&bytes));
    }
}
