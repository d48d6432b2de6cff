//! Both syntaxes into one tree, and what neither may hold.

use proptest::prelude::*;

use super::*;

fn json(text: &str) -> Result<Node, SourceError> {
    read(text.as_bytes(), Syntax::Json)
}

fn yaml(text: &str) -> Result<Node, SourceError> {
    read(text.as_bytes(), Syntax::Yaml)
}

/// The tree without places and quoting.
fn plain(node: &Node) -> String {
    match &node.value {
        Value::Text { text, .. } => format!("{text:?}"),
        Value::List(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(",")),
        Value::Object(entries) => {
            let entry = |entry: &Entry| format!("{}:{}", entry.key, plain(&entry.node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(","))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn one_document_in_two_syntaxes_is_one_tree() {
    let json = json(r#"{"a": [1, 2.5, true, null, "x"], "b": {"c": "é\n", "d": []}}"#).expect("JSON");
    let yaml = yaml("a: [1, 2.5, true, ~, x]\nb:\n  c: \"é\\n\"\n  d: []\n").expect("YAML");
    assert_eq!(plain(&json), plain(&yaml));
}

#[test]
fn places_are_told() {
    let node = json("{\n  \"a\": 1,\n  \"b\": [\n true]}").expect("JSON");
    let Value::Object(entries) = &node.value else { panic!("{node:?}") };
    assert_eq!(entries[1].key_place, Place { line: 3, column: 3 });
    assert_eq!(entries[1].node.place, Place { line: 3, column: 8 });

    let node = yaml("a: 1\nb:\n  - true\n").expect("YAML");
    let Value::Object(entries) = &node.value else { panic!("{node:?}") };
    assert_eq!(entries[1].key_place, Place { line: 2, column: 1 });
}

#[test]
fn syntax_errors_name_their_place() {
    let rows: &[(Syntax, &str, usize)] = &[
        (Syntax::Json, "", 1),
        (Syntax::Json, "{\n\"a\": }", 2),
        (Syntax::Json, "{} x", 1),
        (Syntax::Json, "{\"a\": NaN}", 1),
        (Syntax::Json, "{\"a\": 01}", 1),
        (Syntax::Json, "{\"a\": \n\"\\ud800\"}", 2),
        (Syntax::Json, "{\"a\": \n1e400}", 2),
        (Syntax::Yaml, "a: [1\n", 2),
        (Syntax::Yaml, "a: 1\nb: *x\n", 2),
        (Syntax::Yaml, "a: 1\n---\nb: 1\n", 2),
        (Syntax::Yaml, "a: !!int 5\n", 1),
        (Syntax::Yaml, "a: 1\n? [x]\n: 1\n", 2),
    ];
    for &(syntax, text, line) in rows {
        match read(text.as_bytes(), syntax) {
            Err(SourceError::Syntax { place, message }) => {
                assert_eq!(place.line, line, "{text:?}: {message}");
                assert!(!message.contains("at line"), "{message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn aliases_are_refused_by_name() {
    let error = yaml("a: &x 1\nb: *x\n").expect_err("an alias");
    assert_eq!(error.to_string(), "line 2, column 4: aliases are not supported");
}

#[test]
fn repeated_keys_are_refused() {
    let repeated = |line, column| SourceError::RepeatedKey { place: Place { line, column }, key: "a".into() };
    assert_eq!(json(r#"{"b": [{"a": 1, "\u0061": 2}]}"#), Err(repeated(1, 17)));
    assert_eq!(yaml("b:\n  a: 1\n  \"a\": 1\n"), Err(repeated(3, 3)));
}

#[test]
fn integers_and_floats_are_told_apart() {
    assert_eq!(json("5").map(|node| node.value), Ok(Value::Number(Number::Integer(5))));
    assert_eq!(json("-0").map(|node| node.value), Ok(Value::Number(Number::Integer(0))));
    assert_eq!(json("5.0").map(|node| node.value), Ok(Value::Number(Number::Float(5.0))));
    assert_eq!(json("1e2").map(|node| node.value), Ok(Value::Number(Number::Float(100.0))));
    assert_eq!(json(&"9".repeat(60)).map(|node| node.value), Ok(Value::Number(Number::Huge)));
}

#[test]
fn yaml_keys_are_words_and_quotes_are_kept_apart() {
    assert_eq!(yaml("on: yes\n1: 2\n").map(|node| plain(&node)), Ok("{on:\"yes\",1:Number(Integer(2))}".into()));
    assert_eq!(yaml("'5'").map(|node| node.value), Ok(Value::Text { text: "5".into(), plain: false }));
    assert_eq!(yaml("!!str 5").map(|node| node.value), Ok(Value::Text { text: "5".into(), plain: false }));
    assert_eq!(yaml("off").map(|node| node.value), Ok(Value::Text { text: "off".into(), plain: true }));
    assert_eq!(yaml("# nothing\n").map(|node| node.value), Ok(Value::Null));
}

#[test]
fn a_byte_order_mark_is_skipped_and_bad_bytes_are_refused() {
    assert!(json("\u{feff}{}").is_ok());
    assert!(yaml("\u{feff}a: 1").is_ok());
    assert_eq!(read(b"{\xff}", Syntax::Json), Err(SourceError::Encoding { offset: 1 }));
}

#[test]
fn deep_nesting_is_an_error_in_both() {
    for depth in [65, 100_000] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(matches!(json(&text), Err(SourceError::TooDeep { .. })));
        assert!(matches!(yaml(&text), Err(SourceError::TooDeep { .. } | SourceError::Syntax { .. })));
    }
}

#[test]
fn file_names_choose_the_syntax() {
    assert_eq!(Syntax::of_file_name("p.yaml"), Syntax::Yaml);
    assert_eq!(Syntax::of_file_name("/x/p.yml"), Syntax::Yaml);
    assert_eq!(Syntax::of_file_name("p.YAML"), Syntax::Json);
    assert_eq!(Syntax::of_file_name("yaml"), Syntax::Json);
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,40}|[\\[\\]{}:,\"'\\-?!&*|>#% \n\ta1.]{0,40}") {
        let _ = json(&text);
        let _ = yaml(&text);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let _ = read(&bytes, Syntax::Json);
        let _ = read(&bytes, Syntax::Yaml);
    }
}
