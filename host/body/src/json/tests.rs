use std::io::Read;

use crate::json::{JsonError, JsonObject, MAX_DEPTH, Scanner};
use crate::spool::SpoolConfig;

/// Scan in one piece, then byte by byte; both must agree.
fn scan(text: &[u8], aside: Option<&str>) -> Result<JsonObject, JsonError> {
    let scan_by = |size| {
        let mut scanner = Scanner::new(aside, &SpoolConfig::default());
        text.chunks(size).try_for_each(|chunk| scanner.push(chunk))?;
        scanner.finish()
    };
    let (whole, bytes) = (scan_by(text.len().max(1)), scan_by(1));
    assert_eq!(format!("{whole:?}"), format!("{bytes:?}"), "{}", String::from_utf8_lossy(text));
    whole
}

fn content(object: &JsonObject) -> Option<String> {
    object.aside.as_ref().map(|spool| {
        let mut text = String::new();
        spool.reader().read_to_string(&mut text).unwrap();
        text
    })
}

fn accepted(text: &[u8]) -> String {
    match scan(text, None) {
        Ok(object) => String::from_utf8(object.text).unwrap(),
        Err(error) => panic!("{}: {error}", String::from_utf8_lossy(text)),
    }
}

#[test]
fn objects_are_kept_without_white_space() {
    let rows = [
        ("{}", "{}"),
        (" \t\r\n{ \t\r\n} \t\r\n", "{}"),
        (r#"{ "a" : 1 , "b" : [ 1 , { } , [ ] , "x y" ] }"#, r#"{"a":1,"b":[1,{},[],"x y"]}"#),
        (r#"{"a":true,"b":false,"c":null}"#, r#"{"a":true,"b":false,"c":null}"#),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
        (r#"{"":""}"#, r#"{"":""}"#),
        (r#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83e\udd23\u0000"}"#, r#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83e\udd23\u0000"}"#),
        ("{\"a\":\"\u{7f}é≤🤣\u{10ffff}\"}", "{\"a\":\"\u{7f}é≤🤣\u{10ffff}\"}"),
        (
            r#"{"n":[0,-0,1,-1,10,0.5,-0.5,1e5,1E+5,1e-5,1.25e10,1e308,1e-999]}"#,
            r#"{"n":[0,-0,1,-1,10,0.5,-0.5,1e5,1E+5,1e-5,1.25e10,1e308,1e-999]}"#,
        ),
        ("\u{feff}{\"a\":1}", r#"{"a":1}"#),
        ("\u{feff} {}", "{}"),
    ];
    for (text, expected) in rows {
        assert_eq!(accepted(text.as_bytes()), expected);
    }
}

#[test]
fn integers_of_any_length_are_kept() {
    let text = format!(r#"{{"n":{}}}"#, "9".repeat(5000));
    assert_eq!(accepted(text.as_bytes()), text);
}

#[test]
fn any_other_value_is_no_object() {
    for text in ["null", "[]", "[1]", "0", "5", "-1", r#""""#, r#""x""#, "true", "false", " []", "\u{feff}[]"] {
        assert!(matches!(scan(text.as_bytes(), None), Err(JsonError::NotAnObject)), "{text}");
    }
}

#[test]
fn unfinished_texts_are_incomplete() {
    for text in [
        "",
        " ",
        "\t\r\n",
        "{",
        r#"{"a"#,
        r#"{"a""#,
        r#"{"a":"#,
        r#"{"a":1"#,
        r#"{"a":1,"#,
        r#"{"a":[1"#,
        r#"{"a":"x"#,
        r#"{"a":tru"#,
        r#"{"a":1e"#,
        r#"{"a":"\"#,
        r#"{"a":"\u00"#,
        "\u{feff}",
    ] {
        assert!(matches!(scan(text.as_bytes(), None), Err(JsonError::Incomplete)), "{text}");
    }
    assert!(matches!(scan(b"\xEF\xBB", None), Err(JsonError::Incomplete)));
}

#[test]
fn grammar_is_strict() {
    for text in [
        "{,}",
        r#"{"a":1,}"#,
        r#"{"a":[1,]}"#,
        r#"{"a":[,1]}"#,
        r#"{"a" 1}"#,
        r#"{"a"::1}"#,
        r#"{a:1}"#,
        r#"{'a':1}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":[1 2]}"#,
        r#"{"a":[1}"#,
        r#"{"a":{]}"#,
        r#"{"a":}"#,
        r#"{1:1}"#,
        r#"{"a"}"#,
        r#"{"a":01}"#,
        r#"{"a":-}"#,
        r#"{"a":+1}"#,
        r#"{"a":.5}"#,
        r#"{"a":1.}"#,
        r#"{"a":1e}"#,
        r#"{"a":1e+}"#,
        r#"{"a":-01}"#,
        r#"{"a":1.e5}"#,
        r#"{"a":0x1}"#,
        r#"{"a":1_0}"#,
        r#"{"a":--1}"#,
        r#"{"a":1.5.5}"#,
        r#"{"a":NaN}"#,
        r#"{"a":Infinity}"#,
        r#"{"a":-Infinity}"#,
        r#"{"a":True}"#,
        r#"{"a":nul}"#,
        r#"{"a":nulll}"#,
        r#"{"a":undefined}"#,
        "{/**/}",
        "{} //",
        "//\n{}",
        "}",
        ",",
        "{\u{a0}}",
        "{\u{b}}",
        "\u{feff}\u{feff}{}",
        " \u{feff}{}",
    ] {
        let result = scan(text.as_bytes(), None);
        assert!(matches!(result, Err(JsonError::Unexpected { .. } | JsonError::Trailing { .. })), "{text}: {result:?}");
    }
}

#[test]
fn nothing_but_white_space_may_follow() {
    for text in [r#"{}x"#, "{}{}", "{},", "{}}", "{} null", "{}\0"] {
        assert!(matches!(scan(text.as_bytes(), None), Err(JsonError::Trailing { .. })), "{text}");
    }
}

#[test]
fn floats_beyond_64_bits_are_refused() {
    for text in [r#"{"a":1e400}"#, r#"{"a":-1e400}"#, r#"{"a":1.0e309}"#, r#"{"a":[1e99999999999999999999]}"#] {
        assert!(matches!(scan(text.as_bytes(), None), Err(JsonError::NumberRange { .. })), "{text}");
    }
    let long = format!(r#"{{"a":{}.5}}"#, "9".repeat(400));
    assert!(matches!(scan(long.as_bytes(), None), Err(JsonError::NumberRange { .. })));
}

#[test]
fn strings_are_checked() {
    for byte in 0..0x20 {
        for text in [[b"{\"", &[byte][..], b"\":1}"].concat(), [b"{\"a\":\"x", &[byte][..], b"\"}"].concat()] {
            assert!(matches!(scan(&text, None), Err(JsonError::Control { .. })), "{byte:#x}");
        }
    }
    for text in [r"\x", r"\'", r"\U0041", r"\u00g0", r"\u 041", r"\u+041", r"\ud83e\udd2x", r"\0"] {
        let text = format!(r#"{{"a":"{text}"}}"#);
        assert!(matches!(scan(text.as_bytes(), None), Err(JsonError::Escape { .. })), "{text}");
    }
}

#[test]
fn lone_surrogates_are_refused() {
    for text in [
        r"\ud800",
        r"\udbff",
        r"\udc00",
        r"\udfff",
        r"\ud800x",
        r"\ud800\n",
        r"\ud800\u0041",
        r"\ud800\ud800",
        r"\udc00\ud800",
        r"\ud83e≤",
        r"\ud83e\udd23\udd23",
        r"\ud800\\udc00",
    ] {
        for text in [format!(r#"{{"a":"{text}"}}"#), format!(r#"{{"{text}":1}}"#)] {
            assert!(matches!(scan(text.as_bytes(), Some("a")), Err(JsonError::LoneSurrogate { .. })), "{text}");
        }
    }
}

#[test]
fn a_lone_surrogate_is_told_with_its_member() {
    let long = format!(r#"{{"{}":"\ud800"}}"#, "k".repeat(101));
    for (text, member) in [
        (r#"{"b":1,"path":"\ud800"}"#, Some("path")),
        (r#"{"path":["x",{"y":"\ud800"}],"b":2}"#, Some("path")),
        (r#"{"a":"x","path":"a\udc00"}"#, Some("path")),
        (r#"{"a":"\ud800"}"#, Some("a")),
        (r#"{"a":["\ud800"]}"#, Some("a")),
        (r#"{"path":1,"\ud800":2}"#, None),
        (r#"{"path":{"\ud800":2}}"#, None),
        (&long, None),
    ] {
        for chunk in [1, 7, text.len()] {
            let mut scanner = Scanner::new(Some("a"), &SpoolConfig::default());
            let found = text.as_bytes().chunks(chunk).find_map(|chunk| scanner.push(chunk).err());
            let Some(JsonError::LoneSurrogate { member: found, .. }) = found else { panic!("{text}: {found:?}") };
            assert_eq!(found.as_deref(), member, "{text}");
        }
    }
}

#[test]
fn bad_utf8_in_strings_is_refused() {
    let bad: [&[u8]; 16] = [
        b"\x80",
        b"\xbf",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xc3",
        b"\xc3(",
        b"\xe0\x9f\xbf",
        b"\xe2\x89",
        b"\xe2\x89x",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf0\x9f\xa4",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xff",
        b"\xe2\\n",
    ];
    for bytes in bad {
        let text = [b"{\"a\":\"", bytes, b"\"}"].concat();
        for aside in [None, Some("a")] {
            assert!(matches!(scan(&text, aside), Err(JsonError::Utf8 { .. })), "{bytes:x?}");
        }
    }
}

#[test]
fn other_encodings_are_refused() {
    let units: Vec<u16> = r#"{"a":1}"#.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let wide: Vec<u8> = units.iter().flat_map(|unit| u32::from(*unit).to_le_bytes()).collect();
    let marked = [b"\xFF\xFE", &little[..]].concat();
    for text in [little, big, wide, marked] {
        assert!(matches!(scan(&text, None), Err(JsonError::Unexpected { .. })), "{text:x?}");
    }
}

#[test]
fn nesting_is_limited_without_recursion() {
    let nested = |depth: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1));
    for depth in [2, 128, MAX_DEPTH] {
        assert_eq!(accepted(nested(depth).as_bytes()), nested(depth));
    }
    for depth in [MAX_DEPTH + 1, 1_000_000] {
        assert!(matches!(scan(nested(depth).as_bytes(), None), Err(JsonError::TooDeep { limit: MAX_DEPTH })));
    }
    let objects = format!("{}1{}", r#"{"a":"#.repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
    assert_eq!(accepted(objects.as_bytes()), objects);
}

#[test]
fn bulk_member_is_kept_aside() {
    let rows = [
        (r#"{"c":"x"}"#, "{}", Some("x")),
        (r#"{ "c" : "x" }"#, "{}", Some("x")),
        (r#"{"c":""}"#, "{}", Some("")),
        (r#"{"c":"x","a":1}"#, r#"{"a":1}"#, Some("x")),
        (r#"{"a":1,"c":"x"}"#, r#"{"a":1}"#, Some("x")),
        (r#"{"a":1,"c":"x","b":2}"#, r#"{"a":1,"b":2}"#, Some("x")),
        (r#"{"c":"\u00e9\n\ud83e\udd23\"≤"}"#, "{}", Some("é\n🤣\"≤")),
        (r#"{"\u0063":"x"}"#, "{}", Some("x")),
        (r#"{"c":1}"#, r#"{"c":1}"#, None),
        (r#"{"c":null,"a":1}"#, r#"{"c":null,"a":1}"#, None),
        (r#"{"\u0063":[1]}"#, r#"{"\u0063":[1]}"#, None),
        (r#"{"c":{"c":"x"}}"#, r#"{"c":{"c":"x"}}"#, None),
        (r#"{"a":{"c":"x"}}"#, r#"{"a":{"c":"x"}}"#, None),
        (r#"{"a":[{"c":"x"}],"c":"y"}"#, r#"{"a":[{"c":"x"}]}"#, Some("y")),
        (r#"{"cc":"x"}"#, r#"{"cc":"x"}"#, None),
        (r#"{"":"x"}"#, r#"{"":"x"}"#, None),
        (r#"{"C":"x"}"#, r#"{"C":"x"}"#, None),
        (r#"{"a":"c"}"#, r#"{"a":"c"}"#, None),
        (r#"{}"#, "{}", None),
    ];
    for (text, rest, aside) in rows {
        let object = scan(text.as_bytes(), Some("c")).unwrap();
        assert_eq!(String::from_utf8_lossy(&object.text), rest, "{text}");
        assert_eq!(content(&object).as_deref(), aside, "{text}");
    }
}

#[test]
fn last_bulk_member_wins() {
    let rows = [
        (r#"{"c":"x","c":"y"}"#, "{}", Some("y")),
        (r#"{"c":"x","c":1}"#, r#"{"c":1}"#, None),
        (r#"{"c":1,"c":"x"}"#, "{}", Some("x")),
        (r#"{"c":1,"c":2}"#, r#"{"c":2}"#, None),
        (r#"{"c":1,"a":1,"c":"x"}"#, r#"{"a":1}"#, Some("x")),
        (r#"{"a":1,"c":[1,{"c":2}],"b":2,"c":"x"}"#, r#"{"a":1,"b":2}"#, Some("x")),
        (r#"{"c":"x","a":1,"c":null,"b":2}"#, r#"{"a":1,"c":null,"b":2}"#, None),
        (r#"{"c":1,"a":1,"c":2,"b":2,"c":3}"#, r#"{"a":1,"b":2,"c":3}"#, None),
        (r#"{"c":1,"c":"x","a":1,"c":true,"b":2,"\u0063":"y"}"#, r#"{"a":1,"b":2}"#, Some("y")),
    ];
    for (text, rest, aside) in rows {
        let object = scan(text.as_bytes(), Some("c")).unwrap();
        assert_eq!(String::from_utf8_lossy(&object.text), rest, "{text}");
        assert_eq!(content(&object).as_deref(), aside, "{text}");
    }
}

#[test]
fn nothing_is_taken_after_an_error() {
    let mut scanner = Scanner::new(None, &SpoolConfig::default());
    assert!(scanner.push(b"{}x").is_err());
    assert!(scanner.push(b"{}").is_err());
    assert!(matches!(scanner.finish(), Err(JsonError::Incomplete)));
}

#[test]
fn errors_tell_where() {
    let mut scanner = Scanner::new(None, &SpoolConfig::default());
    scanner.push(br#"{"abc":"#).unwrap();
    assert!(matches!(scanner.push(b" ?"), Err(JsonError::Unexpected { byte: b'?', offset: 8 })));
    let utf8 = scan(b"{\"a\":\"abc\xff\"}", None);
    assert!(matches!(utf8, Err(JsonError::Utf8 { offset: 9 })));
}
