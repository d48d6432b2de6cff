use super::{Kind, Member, members, value};

fn one<'a>(text: &'a str) -> Option<Member<'a>> {
    let [found] = members(text.as_bytes(), ["a"]).unwrap();
    found
}

#[test]
fn missing_null_and_wrong_kind_can_be_told_apart() {
    assert!(one("{}").is_none());
    assert!(one(r#"{"b":1}"#).is_none());
    assert!(one(r#"{"a":null}"#).unwrap().is_null());
    for (text, kind) in [
        (r#"{"a": true}"#, Kind::Boolean),
        (r#"{"a": -1.5e3 }"#, Kind::Number),
        (r#"{"a":"x"}"#, Kind::Text),
        (r#"{"a":[1,{}]}"#, Kind::List),
        (r#"{"a":{"a":[]}}"#, Kind::Object),
    ] {
        assert_eq!(one(text).unwrap().kind(), kind, "{text}");
    }
}

#[test]
fn values_are_read_as_what_they_are_and_nothing_else() {
    assert_eq!(one(r#"{"a":"x"}"#).unwrap().text().unwrap(), "x");
    assert_eq!(one(r#"{"a":"\u00e9\ud83e\udd23\n\""}"#).unwrap().text().unwrap(), "é🤣\n\"");
    assert_eq!(one(r#"{"a":5}"#).unwrap().text(), None);
    assert_eq!(one(r#"{"a":5}"#).unwrap().integer(), Some(5));
    assert_eq!(one(r#"{"a":5.0}"#).unwrap().integer(), None);
    assert_eq!(one(r#"{"a":5.0}"#).unwrap().float(), Some(5.0));
    assert_eq!(one(r#"{"a":"5"}"#).unwrap().float(), None);
    assert_eq!(one(r#"{"a":false}"#).unwrap().boolean(), Some(false));
    assert_eq!(one(r#"{"a":0}"#).unwrap().boolean(), None);
    assert_eq!(one(r#"{"a":[1, 2]}"#).unwrap().value().unwrap(), serde_json::json!([1, 2]));
    assert_eq!(one(r#"{"a":[1, 2]}"#).unwrap().raw(), "[1, 2]");
}

#[test]
fn items_of_a_list_are_members_too() {
    let items =
        |text: &str| one(text).unwrap().items().map(|items| items.iter().map(|item| item.raw().to_owned()).collect());
    assert_eq!(items(r#"{"a":[]}"#), Some(Vec::<String>::new()));
    let whole = ["\"x\"", "5", "null", "[[]]", r#""\ud800""#].map(str::to_owned);
    assert_eq!(items(r#"{"a":[ "x", 5,null , [[]],"\ud800"]}"#), Some(whole.to_vec()));
    for text in [r#"{"a":null}"#, r#"{"a":{}}"#, r#"{"a":"[]"}"#, r#"{"a":1}"#] {
        assert_eq!(items(text), None, "{text}");
    }
}

#[test]
fn truth_is_pythons() {
    for (text, truth) in [
        ("null", false),
        ("false", false),
        ("true", true),
        ("0", false),
        ("-0.0", false),
        ("0e9", false),
        ("1e999", true),
        ("0.1", true),
        (r#""""#, false),
        (r#""no""#, true),
        (r#""\ud800""#, true),
        ("[ ]", false),
        ("[0]", true),
        ("{ }", false),
        (r#"{"b":0}"#, true),
    ] {
        assert_eq!(one(&format!(r#"{{"a":{text}}}"#)).unwrap().is_truthy(), truth, "{text}");
    }
}

#[test]
fn real_numbers_are_taken_as_float_takes_them() {
    for (text, real) in [
        ("2.5", Some(2.5)),
        ("true", Some(1.0)),
        ("false", Some(0.0)),
        (r#"" 1_0.5 ""#, Some(10.5)),
        (r#""inf""#, Some(f64::INFINITY)),
        ("1e999", Some(f64::INFINITY)),
        (r#""nan""#, None),
        (r#""x""#, None),
        ("null", None),
        ("[1]", None),
        ("{}", None),
    ] {
        assert_eq!(one(&format!(r#"{{"a":{text}}}"#)).unwrap().real(), real, "{text}");
    }
}

#[test]
fn the_last_of_equal_names_counts() {
    assert_eq!(one(r#"{"a":1,"\u0061":2,"a":3}"#).unwrap().integer(), Some(3));
    assert!(one(r#"{"a":1,"a":null}"#).unwrap().is_null());
}

#[test]
fn several_names_come_in_their_own_order() {
    let [b, missing, a] = members(br#"{"a":1,"x":[{"b":9}],"b":2}"#, ["b", "c", "a"]).unwrap();
    assert_eq!((b.unwrap().integer(), missing.is_none(), a.unwrap().integer()), (Some(2), true, Some(1)));
}

#[test]
fn a_byte_order_mark_is_accepted() {
    let [a] = members(b"\xef\xbb\xbf {\"a\":1} ", ["a"]).unwrap();
    assert_eq!(a.unwrap().integer(), Some(1));
}

#[test]
fn what_is_no_object_is_a_bad_body() {
    for text in [
        &b""[..],
        b" ",
        b"null",
        b"[]",
        b"5",
        b"\"a\"",
        b"{",
        b"{\"a\":1}x",
        b"{\"a\":tru}",
        b"{\"a\" 1}",
        b"{\"\xff\":1}",
    ] {
        assert_eq!(members(text, ["a"]).unwrap_err().code(), Some("bad_body"), "{text:?}");
    }
}

#[test]
fn a_lone_surrogate_is_no_text() {
    let member = one(r#"{"a":"x\ud800y"}"#).unwrap();
    assert_eq!((member.kind(), member.text()), (Kind::Text, None));
}

#[test]
fn unasked_nesting_is_skipped_without_recursion() {
    let deep = format!(r#"{{"x":{}{},"a":1}}"#, "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(one(&deep).unwrap().integer(), Some(1));
}

#[test]
fn whole_values_nest_up_to_512_levels() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(value(nested(512).as_bytes()).is_ok());
    assert_eq!(value(nested(513).as_bytes()).unwrap_err().code(), Some("bad_body"));
    assert!(value(nested(300_000).as_bytes()).is_err());
    let brackets_in_text = format!(r#"["\"{}"]"#, "[".repeat(2000));
    assert!(value(brackets_in_text.as_bytes()).is_ok());
    assert!(value(br#"["\ud800"]"#).is_err());
}

#[test]
fn entries_come_in_order_and_the_last_of_equal_names_counts() {
    let read = |text: &str| {
        let entries = one(text).unwrap().entries()?;
        Some(entries.iter().map(|(name, value)| format!("{name}={}", value.raw())).collect::<Vec<_>>())
    };
    assert_eq!(read(r#"{"a":{}}"#), Some(vec![]));
    let whole = ["z=1", "é\n=[[{}]]", "=null"].map(str::to_owned).to_vec();
    assert_eq!(read(r#"{"a":{ "z":0, "é\n" : [[{}]],"":null,"\u007a":1}}"#), Some(whole));
    for text in [r#"{"a":null}"#, r#"{"a":[]}"#, r#"{"a":"{}"}"#, r#"{"a":1}"#] {
        assert_eq!(read(text), None, "{text}");
    }
}
