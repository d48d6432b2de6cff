use super::{Part, Template, TemplateError};
use crate::argument::{Argument, Kind};
use crate::value::{Value, Values};

fn arguments() -> Vec<Argument> {
    [
        ("text", Kind::Text),
        ("count", Kind::Integer),
        ("ratio", Kind::Float),
        ("flag", Kind::Boolean),
        ("files", Kind::Texts),
    ]
    .map(|(name, kind)| Argument {
        name: name.to_owned(),
        kind,
        required: false,
        default: None,
        description: String::new(),
    })
    .to_vec()
}

fn template(run: &str) -> Result<Template, TemplateError> {
    Template::new(&serde_json::from_str::<Vec<Part>>(run).unwrap(), &arguments())
}

fn words(run: &str, given: &[(&str, Value)]) -> Vec<String> {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    template(run).unwrap().words(&Values::new(&arguments(), given).unwrap())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn texts(items: &[&str]) -> Value {
    Value::Texts(items.iter().map(|item| (*item).to_owned()).collect())
}

#[test]
fn values_stand_for_whole_words_and_for_parts_of_them() {
    let values = [
        ("text", text("a b $HOME; 'x'")),
        ("count", Value::Integer("-7".to_owned())),
        ("ratio", Value::Float(2.0)),
        ("flag", Value::Boolean(true)),
    ];
    assert_eq!(
        words(r#"["p", "{text}", "--n={count}:{ratio}", "{flag}", "x"]"#, &values),
        ["p", "a b $HOME; 'x'", "--n=-7:2.0", "true", "x"]
    );
    assert_eq!(words(r#"["p", "{text}"]"#, &[("text", text(""))]), ["p", ""]);
    assert_eq!(words(r#"["p", "{text}"]"#, &[("text", text("{count}"))]), ["p", "{count}"]);
}

#[test]
fn lists_spread() {
    assert_eq!(
        words(r#"["p", "--", "{files}", "end"]"#, &[("files", texts(&["a", "b c"]))]),
        ["p", "--", "a", "b c", "end"]
    );
    assert_eq!(words(r#"["p", "{files}"]"#, &[("files", texts(&[]))]), ["p"]);
}

#[test]
fn words_of_arguments_that_are_not_given_are_left_out() {
    let run = r#"["p", "--text={text}", ["--count", "{count}"], ["-v"], "{files}"]"#;
    assert_eq!(words(run, &[]), ["p", "-v"]);
    assert_eq!(words(run, &[("count", Value::Integer("1".to_owned()))]), ["p", "--count", "1", "-v"]);
}

#[test]
fn doubled_braces_are_braces() {
    assert_eq!(words(r#"["p{{}}", "{{text}}", "{{{text}}}"]"#, &[("text", text("x"))]), ["p{}", "{text}", "{x}"]);
}

#[test]
fn what_is_no_template_is_named() {
    for (run, said) in [
        ("[]", "expected the program and its words"),
        (r#"["{text}"]"#, "the first word is the program: one word without arguments in it"),
        (r#"["p{text}"]"#, "the first word is the program: one word without arguments in it"),
        (r#"[""]"#, "the first word is the program: one word without arguments in it"),
        (r#"[["p"]]"#, "the first word is the program: one word without arguments in it"),
        (r#"["p", "{text"]"#, "`{text`: a brace stands alone; `{{` and `}}` stand for braces"),
        (r#"["p", "text}"]"#, "`text}`: a brace stands alone; `{{` and `}}` stand for braces"),
        (r#"["p", "{}"]"#, "`{}`: there is no argument ``"),
        (r#"["p", "{other}"]"#, "`{other}`: there is no argument `other`"),
        (r#"["p", "a{files}"]"#, "`a{files}`: `files` is a string_array, which is words of its own and no part of one"),
        (r#"["p", "\u0000"]"#, "a word has a NUL character"),
    ] {
        assert_eq!(template(run).unwrap_err().to_string(), said, "{run}");
    }
}
