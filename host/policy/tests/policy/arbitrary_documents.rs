//! Any text at all: an error or a document, never a panic; and one document whichever way it is written.

use std::sync::Arc;

use abxd_policy::{Document, Identities, Inputs, PolicySet, Scope, Syntax, lint, parse_size};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

use crate::support::catalog;

/// Keys and words of the grammar, so that random trees get far into it.
const WORDS: [&str; 34] = [
    "version",
    "description",
    "preset",
    "base_dir",
    "groups",
    "defaults",
    "auth",
    "endpoints",
    "plugins",
    "enabled",
    "scopes",
    "audit",
    "paths",
    "limits",
    "params",
    "tokens",
    "id",
    "token_env",
    "shell",
    "files_*",
    "group:process",
    "@defaults",
    "max_bytes",
    "timeout_seconds",
    "overwrite",
    "deny",
    "process",
    "all",
    "locked",
    "/a",
    "5MB",
    "*",
    "yes",
    "",
];

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => select(vec![0_i64, 1, -1, 5, i64::MAX]).prop_map(Value::from),
        1 => select(vec![0.5, -1.0, 1e300]).prop_map(Value::from),
        4 => select(WORDS.to_vec()).prop_map(Value::from),
        1 => "\\PC{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => proptest::collection::vec((select(WORDS.to_vec()), inner), 0..6).prop_map(|entries| {
                entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            }),
        ]
    })
}

/// Everything that is done with a document at start.
fn start(text: &str, syntax: Syntax) {
    let Ok(document) = Document::parse(text.as_bytes(), syntax) else { return };
    let _ = document.revision();
    let inputs = Inputs { code: &[], enabled_groups: text };
    for inputs in [Inputs::default(), inputs] {
        if let Ok(policy) = PolicySet::resolve(catalog(), &document, &inputs) {
            if let Ok(identities) = Identities::new(&document, &|name| Some(name.as_bytes().to_vec())) {
                let _ = lint(&policy, &identities);
            }
            assert!(policy.rules().iter().all(|rule| rule.is_enabled() == rule.origin().is_none()));
            assert!(Arc::ptr_eq(policy.catalog(), policy.catalog()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_the_grammars_words_never_panic(tree in tree()) {
        start(&tree.to_string(), Syntax::Json);
        start(&tree.to_string(), Syntax::Yaml);
    }

    #[test]
    fn texts_never_panic(text in "\\PC{0,60}|[a-z{}\\[\\]:,\"'\\-&*!|> \n1.]{0,60}") {
        start(&text, Syntax::Json);
        start(&text, Syntax::Yaml);
        let _ = Scope::parse(&text);
        let _ = parse_size(&text);
    }

    /// JSON is YAML too, so both readers must find the same document in it.
    #[test]
    fn json_read_as_yaml_is_the_same_document(tree in tree()) {
        let text = tree.to_string();
        if let Ok(document) = Document::parse(text.as_bytes(), Syntax::Json) {
            let yaml = Document::parse(text.as_bytes(), Syntax::Yaml).expect("YAML");
            prop_assert_eq!(yaml.revision(), document.revision());
        }
    }

    #[test]
    fn scopes_are_what_their_syntax_says(text in "[a-cA1_:.*\\-\n]{0,6}") {
        let name = |text: &str, marks: &str| {
            let mut letters = text.chars();
            letters.next().is_some_and(|first| first.is_ascii_lowercase())
                && letters.all(|letter| matches!(letter, 'a'..='z' | '0'..='9') || marks.contains(letter))
        };
        let expected = text == "*"
            || name(&text, "_.-")
            || (0..text.len()).filter(|&at| text.get(at..=at) == Some(":")).any(|colon| {
                let (namespace, rest) = text.split_at(colon);
                let rest = rest.trim_start_matches(':');
                text.len() == namespace.len() + 1 + rest.len()
                    && name(namespace, "_")
                    && (rest == "*" || name(rest, "_:.-"))
            });
        prop_assert_eq!(Scope::parse(&text).is_ok(), expected, "{:?}", text);
    }

    #[test]
    fn sizes_are_exact(whole in 0_u64..3_000_000, fraction in "[0-9]{0,12}", unit in select(vec!["", "B", "kb", "MB", "GB", "KiB", "mib", "GiB"])) {
        let bytes = match unit.to_lowercase().as_str() {
            "kb" => 1_000_u128, "mb" => 1_000_000, "gb" => 1_000_000_000,
            "kib" => 1 << 10, "mib" => 1 << 20, "gib" => 1 << 30, _ => 1,
        };
        let text = if fraction.is_empty() { format!("{whole}{unit}") } else { format!("{whole}.{fraction} {unit}") };
        let scale = 10_u128.pow(u32::try_from(fraction.len()).expect("twelve at most"));
        let number: u128 = format!("{whole}{fraction}").parse().expect("digits");
        let expected = number * bytes / scale;
        prop_assert_eq!(parse_size(&text).map_or(0, u128::from), expected, "{}", text);
    }
}
