//! The JSON scanner against `serde_json`.
//!
//! Both must take and refuse the same texts, and what the scanner leaves must mean the same. Where they differ by the
//! contract, the strategies here don't go, or the comparison says so:
//!
//! * a byte order mark is taken by the scanner only;
//! * a value that is not an object is refused by the scanner only;
//! * integers beyond a float's range are taken by the scanner only;
//! * the scanner takes 512 levels, `serde_json` 127;
//! * `serde_json` rounds floats carelessly, so what is just within or beyond the range may fall on either side.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "helpers of tests")]

use std::io::Read;

use abxd_body::{JsonError, JsonObject, Scanner, SpoolConfig};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

const ASIDE: &str = "c";

fn scan(text: &[u8], cuts: &[Index], memory: usize) -> Result<JsonObject, JsonError> {
    let mut borders: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
    borders.extend([0, text.len()]);
    borders.sort_unstable();
    let mut scanner = Scanner::new(Some(ASIDE), &SpoolConfig { memory, directory: None });
    for border in borders.windows(2) {
        scanner.push(&text[border[0]..border[1]])?;
    }
    scanner.finish()
}

/// The oracle's answer in the scanner's shape: the object without its bulk member, and that.
fn oracle(text: &[u8]) -> Option<(Value, Option<String>)> {
    let mut value: Value = serde_json::from_slice(text).ok()?;
    let members = value.as_object_mut()?;
    let aside = match members.get(ASIDE) {
        Some(Value::String(_)) => members.remove(ASIDE).and_then(|aside| aside.as_str().map(str::to_owned)),
        _ => None,
    };
    Some((value, aside))
}

fn agree(text: &[u8], cuts: &[Index], memory: usize) {
    let shown = String::from_utf8_lossy(text);
    match (scan(text, cuts, memory), oracle(text)) {
        (Ok(object), Some((rest, aside))) => {
            let left: Value = serde_json::from_slice(&object.text).unwrap();
            assert_eq!(left, rest, "{shown}");
            let kept = object.aside.map(|spool| {
                let mut kept = String::new();
                spool.reader().read_to_string(&mut kept).unwrap();
                kept
            });
            assert_eq!(kept, aside, "{shown}");
        }
        (Err(_), None) => {}
        (Ok(_), None) => panic!("only the scanner takes {shown}"),
        (Err(error), Some(_)) => panic!("only the oracle takes {shown}: {error}"),
    }
}

fn cuts() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..6)
}

/// Texts that are JSON: objects with all that a value may be.
fn object() -> impl Strategy<Value = String> {
    let blank = || select(vec!["", "", "", " ", "\n\t", " \r\n "]);
    let character = prop_oneof![
        8 => any::<char>().prop_map(|c| serde_json::to_string(&c).unwrap().trim_matches('"').to_owned())
            .prop_filter("a quote must stay escaped", |c| c != "\\"),
        4 => any::<char>().prop_map(|c| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()),
        4 => "[a-z ]{0,80}",
        1 => select(vec!["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]).prop_map(str::to_owned),
    ];
    let string = vec(character, 0..5).prop_map(|characters| format!("\"{}\"", characters.concat())).boxed();
    let key =
        prop_oneof![select(vec!["\"c\"", "\"\\u0063\"", "\"a\""]).prop_map(str::to_owned), string.clone()].boxed();
    let scalar = prop_oneof![
        string,
        "-?(0|[1-9][0-9]{0,25})",
        "-?(0|[1-9][0-9]{0,5})\\.[0-9]{1,20}([eE][+-]?[0-9]{1,2})?",
        "-?[1-9][eE][+-]?0?[0-9]{1,2}",
        select(vec!["true", "false", "null"]).prop_map(str::to_owned),
    ];
    let members = move |value: BoxedStrategy<String>| {
        vec((blank(), key.clone(), blank(), blank(), value, blank()), 0..6).prop_map(|members| {
            let members = members.into_iter().map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        })
    };
    let inner = members.clone();
    let value = scalar.prop_recursive(4, 24, 4, move |value| {
        let array = vec((blank(), value.clone(), blank()), 0..4).prop_map(|values| {
            let values = values.into_iter().map(|(a, value, b)| format!("{a}{value}{b}"));
            format!("[{}]", values.collect::<Vec<_>>().join(","))
        });
        prop_oneof![array, inner(value.boxed())]
    });
    members(value.boxed())
}

/// Pieces of JSON in any order.
fn soup() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        " ",
        "\"c\"",
        "\"a\":",
        "{\"c\":",
        "\"x\"",
        "\\u",
        "d83e",
        "\\ud83e\\udd23",
        "0",
        "1",
        "-",
        ".",
        "e",
        "E+5",
        "1e999",
        "true",
        "null",
        "nul",
        "é",
        "\u{1}",
    ]);
    (any::<bool>(), vec(piece, 0..12))
        .prop_map(|(open, pieces)| format!("{}{}", if open { "{" } else { "" }, pieces.concat()))
}

/// An integer that is no longer a float for the oracle is where the two differ.
fn has_long_digits(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() > 300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn objects_are_taken_alike(text in object(), cuts in cuts(), memory in select(vec![0, 8, 1000])) {
        prop_assert!(scan(text.as_bytes(), &cuts, memory).is_ok(), "{}", text);
        agree(text.as_bytes(), &cuts, memory);
    }

    #[test]
    fn damaged_objects_are_judged_alike(
        text in object(),
        damage in vec((any::<Index>(), any::<u8>(), 0..3_u8), 1..3),
        cuts in cuts(),
    ) {
        let mut text = text.into_bytes();
        for (at, byte, how) in damage {
            let at = at.index(text.len().max(1));
            match how {
                0 if at < text.len() => text[at] = byte,
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, byte),
            }
        }
        prop_assume!(!has_long_digits(&text) && !text.starts_with(b"\xEF\xBB\xBF"));
        agree(&text, &cuts, 1000);
    }

    #[test]
    fn pieces_in_any_order_are_judged_alike(text in soup(), cuts in cuts()) {
        agree(text.as_bytes(), &cuts, 1000);
    }

    #[test]
    fn any_bytes_are_judged_alike_and_never_panic(bytes in vec(any::<u8>(), 0..200), cuts in cuts()) {
        prop_assume!(!bytes.starts_with(b"\xEF\xBB\xBF"));
        agree(&bytes, &cuts, 0);
        let inside = [b"{\"c\":\"", &bytes[..]].concat();
        agree(&inside, &cuts, 0);
    }
}
