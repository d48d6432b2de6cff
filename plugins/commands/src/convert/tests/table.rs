//! The table, cell by cell.

use std::iter::repeat_n;

use abx_sdk::commands::Value;

use super::{KINDS, converted, shown};
use crate::convert::{default, float};

/// An input as JSON, and its cells: text, integer, float, boolean, texts. None: it can't be converted.
type Row<'a> = (&'a str, [Option<Value>; 5]);

fn text(value: &str) -> Option<Value> {
    Some(Value::Text(value.to_owned()))
}

fn integer(digits: &str) -> Option<Value> {
    Some(Value::Integer(digits.to_owned()))
}

const fn number(value: f64) -> Option<Value> {
    Some(Value::Float(value))
}

const fn flag(value: bool) -> Option<Value> {
    Some(Value::Boolean(value))
}

fn texts(items: &[&str]) -> Option<Value> {
    Some(Value::Texts(items.iter().map(|item| (*item).to_owned()).collect()))
}

#[track_caller]
fn holds(rows: &[Row<'_>]) {
    for (json, cells) in rows {
        for (kind, cell) in KINDS.into_iter().zip(cells) {
            assert_eq!(shown(converted(kind, json)), shown(cell.clone()), "{json} as {kind:?}");
        }
    }
}

#[test]
fn texts_that_are_numbers() {
    let infinity = f64::INFINITY;
    holds(&[
        (r#""x""#, [text("x"), None, None, None, None]),
        (r#""""#, [text(""), None, None, None, None]),
        (r#"" 12 ""#, [text(" 12 "), integer("12"), number(12.0), None, None]),
        (r#""1_000""#, [text("1_000"), integer("1000"), number(1000.0), None, None]),
        (r#""+5""#, [text("+5"), integer("5"), number(5.0), None, None]),
        (r#""-0""#, [text("-0"), integer("0"), number(-0.0), None, None]),
        (r#""007""#, [text("007"), integer("7"), number(7.0), None, None]),
        (r#""1.5""#, [text("1.5"), None, number(1.5), None, None]),
        (r#""1e3""#, [text("1e3"), None, number(1000.0), None, None]),
        (r#""1_0.5""#, [text("1_0.5"), None, number(10.5), None, None]),
        (r#""0x10""#, [text("0x10"), None, None, None, None]),
        (r#""NaN""#, [text("NaN"), None, number(f64::NAN), None, None]),
        (r#""iNf""#, [text("iNf"), None, number(infinity), None, None]),
        (r#""-Infinity""#, [text("-Infinity"), None, number(-infinity), None, None]),
        (r#""1e400""#, [text("1e400"), None, number(infinity), None, None]),
        (r#""٣""#, [text("٣"), integer("3"), number(3.0), None, None]),
        (r#""\u2003𝟙𝟚_٣\u3000""#, [text("\u{2003}𝟙𝟚_٣\u{3000}"), integer("123"), number(123.0), None, None]),
        (r#""\u001c5""#, [text("\u{1c}5"), None, None, None, None]),
        (r#""- 5""#, [text("- 5"), None, None, None, None]),
        (r#""--5""#, [text("--5"), None, None, None, None]),
        (r#""_1""#, [text("_1"), None, None, None, None]),
        (r#""1_""#, [text("1_"), None, None, None, None]),
        (r#""1__0""#, [text("1__0"), None, None, None, None]),
        (r#""1_.5""#, [text("1_.5"), None, None, None, None]),
        (r#""in_f""#, [text("in_f"), None, None, None, None]),
        (r#""²""#, [text("²"), None, None, None, None]),
        (r#""5\u0000""#, [text("5\0"), None, None, None, None]),
    ]);
}

#[test]
fn texts_that_are_booleans() {
    let only = |word: &'static str, value| {
        let json = format!("{word:?}");
        holds(&[(&json, [text(word), None, None, value, None])]);
    };
    for word in ["true", "TRUE", "tRuE", "yes"] {
        only(word, flag(true));
    }
    for word in ["false", "no", "NO"] {
        only(word, flag(false));
    }
    for word in ["on", "off", "y", " true ", "t"] {
        only(word, None);
    }
    holds(&[
        (r#""1""#, [text("1"), integer("1"), number(1.0), flag(true), None]),
        (r#""0""#, [text("0"), integer("0"), number(0.0), flag(false), None]),
        (r#""1.0""#, [text("1.0"), None, number(1.0), None, None]),
    ]);
}

#[test]
fn numbers() {
    holds(&[
        ("1", [text("1"), integer("1"), number(1.0), flag(true), None]),
        ("0", [text("0"), integer("0"), number(0.0), flag(false), None]),
        ("-0", [text("0"), integer("0"), number(0.0), flag(false), None]),
        ("-7", [text("-7"), integer("-7"), number(-7.0), None, None]),
        ("1.0", [text("1.0"), integer("1"), number(1.0), None, None]),
        ("-0.0", [text("-0.0"), integer("0"), number(-0.0), None, None]),
        ("3.9", [text("3.9"), integer("3"), number(3.9), None, None]),
        ("-3.9", [text("-3.9"), integer("-3"), number(-3.9), None, None]),
        ("-0.9", [text("-0.9"), integer("0"), number(-0.9), None, None]),
        ("1e22", [text("1e+22"), integer("10000000000000000000000"), number(1e22), None, None]),
        ("1E2", [text("100.0"), integer("100"), number(100.0), None, None]),
        ("1e23", [text("1e+23"), integer("99999999999999991611392"), number(1e23), None, None]),
    ]);
}

#[test]
fn integers_of_any_size() {
    let power = |zeros| std::iter::once('1').chain(repeat_n('0', zeros)).collect::<String>();
    let small = power(30);
    holds(&[(&small, [text(&small), integer(&small), number(1e30), None, None])]);
    let large = power(400);
    holds(&[(&large, [text(&large), integer(&large), None, None, None])]);
    let largest: String = repeat_n('9', 4300).collect();
    holds(&[(&largest, [text(&largest), integer(&largest), None, None, None])]);
    let negative = format!("-{largest}");
    holds(&[(&negative, [text(&negative), integer(&negative), None, None, None])]);
    let beyond = power(4300);
    holds(&[(&beyond, [text(&beyond), None, None, None, None])]);
    let quoted = format!("{largest:?}");
    holds(&[(&quoted, [text(&largest), integer(&largest), number(f64::INFINITY), None, None])]);
    let zeros: String = repeat_n('0', 4301).collect();
    holds(&[(&format!("{zeros:?}"), [text(&zeros), None, number(0.0), None, None])]);
}

#[test]
fn words_lists_and_objects() {
    holds(&[
        ("true", [text("True"), None, number(1.0), flag(true), None]),
        ("false", [text("False"), None, number(0.0), flag(false), None]),
        ("null", [text("None"), None, None, None, None]),
        ("[]", [text("[]"), None, None, None, texts(&[])]),
        (r#"["a"]"#, [text("['a']"), None, None, None, texts(&["a"])]),
        (r#"["a","é\n"]"#, [text("['a', 'é\\n']"), None, None, None, texts(&["a", "é\n"])]),
        (r#"["a",1]"#, [text("['a', 1]"), None, None, None, None]),
        (r#"[null]"#, [text("[None]"), None, None, None, None]),
        ("{}", [text("{}"), None, None, None, None]),
        (r#"{"b":true,"c":null,"d":"q'"}"#, [text(r#"{'b': True, 'c': None, 'd': "q'"}"#), None, None, None, None]),
        (r#"{"a":1,"b":[2,{"c":3.0}],"a":4}"#, [text("{'a': 4, 'b': [2, {'c': 3.0}]}"), None, None, None, None]),
    ]);
}

#[test]
fn texts_inside_are_quoted_and_escaped() {
    for (json, shown) in [
        (r#"["it's"]"#, r#"["it's"]"#),
        (r#"["\""]"#, r#"['"']"#),
        (r#"["'\""]"#, r#"['\'"']"#),
        (r#"["\\ \n \r \t"]"#, r"['\\ \n \r \t']"),
        (r#"["\u0007\u007f\u00a0\u00ad"]"#, r"['\x07\x7f\xa0\xad']"),
        (r#"["\u200b\u2028\ue000\uffff"]"#, r"['\u200b\u2028\ue000\uffff']"),
        (r#"["é\u0301🤣\udb40\udc01\udbff\udfff"]"#, "['é\u{301}🤣\\U000e0001\\U0010ffff']"),
    ] {
        assert_eq!(shown_text(json), shown, "{json}");
    }
}

fn shown_text(json: &str) -> String {
    match converted(super::Kind::Text, json) {
        Some(Value::Text(text)) => text,
        other => panic!("{json}: {other:?}"),
    }
}

#[test]
fn floats_are_shown_in_their_shortest_form() {
    for (number, shown) in [
        (0.0, "0.0"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (0.000_012_5, "1.25e-05"),
        (1e15, "1000000000000000.0"),
        (123_456_789_012_345.6, "123456789012345.6"),
        (1e16, "1e+16"),
        (1e100, "1e+100"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
        (-657_657_295_112_731.2, "-657657295112731.2"),
        (9_007_199_254_740_993.0, "9007199254740992.0"),
    ] {
        assert_eq!(float::shortest(number), shown);
    }
}

#[test]
fn depth_is_no_matter() {
    let depth = 500;
    let json = ["[".repeat(depth), "]".repeat(depth)].concat();
    assert_eq!(shown_text(&json), json);
}

#[test]
fn defaults_are_converted_by_the_same_rules() {
    use super::Kind;
    for (kind, given, value) in [
        (Kind::Text, "", text("")),
        (Kind::Text, "None", text("None")),
        (Kind::Integer, " 1_0 ", integer("10")),
        (Kind::Integer, "N/A", None),
        (Kind::Integer, "2.0", None),
        (Kind::Float, "2", number(2.0)),
        (Kind::Float, "nan", number(f64::NAN)),
        (Kind::Float, "x", None),
        (Kind::Boolean, "yes", flag(true)),
        (Kind::Boolean, "False", flag(false)),
        (Kind::Boolean, "maybe", None),
        (Kind::Texts, r#"["x"]"#, texts(&["x"])),
        (Kind::Texts, " [ ] ", texts(&[])),
    ] {
        assert_eq!(shown(default(kind, given)), shown(value), "{given:?} as {kind:?}");
    }
}
