//! Against Python itself, which the tests need (`cargo xtask test` says so where it is missing).

use std::io::Write;
use std::process::{Command, Stdio};

use abx_sdk::commands::Kind;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::{KINDS, converted, shown};

/// Inputs that are compared.
const CASES: usize = 20_000;

/// What Python makes of each line of JSON, for all kinds. What it does not know yet of Unicode is passed over.
const ORACLE: &str = r##"
import json, struct, sys, unicodedata

def integer(value):
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return "integer %d" % int(value)

def number(value):
    if isinstance(value, (str, int, float)):
        value = float(value)
        return "float nan" if value != value else "float " + struct.pack(">d", value).hex()

def flag(value):
    word = str(value).lower()
    if word in ("true", "yes", "1", "false", "no", "0"):
        return "boolean " + ("true" if word in ("true", "yes", "1") else "false")

def texts(value):
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ["texts", value]

def attempt(convert, value):
    try:
        return convert(value)
    except (ValueError, TypeError, OverflowError):
        return None

answers = []
for line in sys.stdin.buffer:
    text = line.decode()
    if any(unicodedata.category(letter) == "Cn" for letter in str(json.loads(text)) + text):
        answers.append(None)
        continue
    value = json.loads(text)
    answers.append([["text", str(value)]] + [attempt(f, value) for f in (integer, number, flag, texts)])
json.dump(answers, sys.stdout)
"##;

/// Texts that come near to being numbers and words, and any others.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[0-9]{1,4}",
        4 => "[-+_.eE \t]",
        2 => prop::sample::select(vec![
            "inf", "Infinity", "nan", "true", "YES", "no", "0x", "\u{1c}", "\u{85}", "\u{a0}", "\u{2003}", "\u{3000}", "٣",
            "𝟗", "०", "²", "'", "\"", "\\", "\0", "e400", "\u{200b}", "\u{ad}",
        ]).prop_map(str::to_owned),
        2 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,3})",
        "-?(0|[1-9][0-9]{0,400})",
        "-?(0|[1-9][0-9]{0,22})\\.[0-9]{1,20}",
        "-?(0|[1-9][0-9]{0,2})(\\.[0-9]{1,4})?[eE][-+]?[0-9]{1,3}",
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| format!("{number:?}")),
        // Where the distance to the neighbours changes, and where two decimals are equally near.
        (-60..60_i32, -2..3_i64).prop_map(|(power, step)| {
            let bits = 2.0_f64.powi(power).to_bits().saturating_add_signed(step);
            format!("{:?}", f64::from_bits(bits))
        }),
        (1..1_u64 << 53, 0..10_i32).prop_map(|(whole, power)| format!("{:?}", whole as f64 / 2.0_f64.powi(power))),
    ]
    .prop_filter("a JSON number that is finite", |text| {
        serde_json::from_str::<Value>(text).is_ok() || !text.contains(['.', 'e', 'E'])
    })
}

/// One JSON text.
fn json() -> impl Strategy<Value = String> {
    let quoted = || text().prop_map(|text| Value::String(text).to_string());
    let leaf = prop_oneof![
        4 => quoted(),
        4 => number(),
        1 => prop::sample::select(vec!["null", "true", "false"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        let member = (quoted(), inner.clone()).prop_map(|(name, value)| format!("{name}:{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(quoted(), 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

fn ask_python(cases: &[String]) -> Vec<Option<Vec<Value>>> {
    let mut python = Command::new("python3");
    python.args(["-I", "-X", "utf8", "-c", ORACLE]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().expect("these tests need python3");
    let mut stdin = child.stdin.take().unwrap();
    let lines = cases.iter().map(|case| format!("{case}\n")).collect::<String>();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What Python answers, in the form that values are shown in.
fn of_python(kind: Kind, answer: &Value) -> Option<String> {
    match (kind, answer) {
        (_, Value::Null) => None,
        (Kind::Text, Value::Array(pair)) => Some(format!("text {:?}", pair[1].as_str().unwrap())),
        (Kind::Texts, Value::Array(pair)) => {
            let items: Vec<_> = pair[1].as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect();
            Some(format!("texts {items:?}"))
        }
        (_, Value::String(text)) => Some(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn everything_is_converted_as_python_does() {
    let mut runner = TestRunner::default();
    let cases: Vec<_> = (0..CASES).map(|_| json().new_tree(&mut runner).unwrap().current()).collect();
    let answers = ask_python(&cases);
    assert_eq!(answers.len(), CASES);
    let mut compared = 0;
    for (case, answer) in cases.iter().zip(answers) {
        let Some(answer) = answer else { continue };
        compared += 1;
        for (kind, answer) in KINDS.into_iter().zip(&answer) {
            assert_eq!(shown(converted(kind, case)), of_python(kind, answer), "{case} as {kind:?}");
        }
    }
    assert!(compared > CASES / 2, "{compared}");
}
