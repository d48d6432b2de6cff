//! The grammar of documents: what is refused, where the error points, and what YAML adds (`contract: policy §1, §2`).

use abxd_policy::{Document, Syntax};

use crate::support::{document, resolve, rule};

fn message(json: &str) -> String {
    Document::parse(json.as_bytes(), Syntax::Json).expect_err(json).to_string()
}

/// Checks the messages without the place before them.
fn refused(rows: &[(&str, &str)]) {
    for &(json, expected) in rows {
        let message = message(json);
        let (_, problem) = message.split_once(": ").expect("a place first");
        assert_eq!(problem, expected, "{json}");
    }
}

#[test]
fn errors_name_line_column_key_and_a_guess() {
    let json = "{\n  \"endpoints\": {\n    \"shell\": {\"limits\": {\"rate_per_minute\": true}}\n  }\n}";
    assert_eq!(
        message(json),
        "line 3, column 45: endpoints.shell.limits.rate_per_minute: expected a whole number, found a boolean"
    );
    let json = "{\"defaults\": {\n\"enabld\": true}}";
    assert_eq!(message(json), "line 2, column 1: defaults: unknown key `enabld`, did you mean `enabled`?");
}

#[test]
fn unknown_keys_are_refused_at_every_level() {
    refused(&[
        (r#"{"x":1}"#, "unknown key `x`"),
        (r#"{"endpoint":{}}"#, "unknown key `endpoint`, did you mean `endpoints`?"),
        (r#"{"auth":{"token":[]}}"#, "auth: unknown key `token`, did you mean `tokens`?"),
        (r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token":"hunter2"}]}}"#, "auth.tokens[0]: unknown key `token`"),
        (r#"{"endpoints":{"shell":{"path":{}}}}"#, "endpoints.shell: unknown key `path`, did you mean `paths`?"),
        (
            r#"{"defaults":{"paths":{"readonly":true}}}"#,
            "defaults.paths: unknown key `readonly`, did you mean `read_only`?",
        ),
        (
            r#"{"defaults":{"limits":{"max_byte":1}}}"#,
            "defaults.limits: unknown key `max_byte`, did you mean `max_bytes`?",
        ),
        (r#"{"defaults":{"params":{"shell":[]}}}"#, "defaults.params: unknown key `shell`, did you mean `shells`?"),
    ]);
}

#[test]
fn objects_are_objects() {
    for value in ["null", "[]", "1", "\"x\"", "true"] {
        for json in [
            value.to_owned(),
            format!(r#"{{"defaults":{value}}}"#),
            format!(r#"{{"auth":{value}}}"#),
            format!(r#"{{"endpoints":{value}}}"#),
            format!(r#"{{"endpoints":{{"shell":{value}}}}}"#),
            format!(r#"{{"defaults":{{"paths":{value}}}}}"#),
            format!(r#"{{"defaults":{{"limits":{value}}}}}"#),
            format!(r#"{{"defaults":{{"params":{value}}}}}"#),
            format!(r#"{{"plugins":{value}}}"#),
        ] {
            assert!(message(&json).contains("expected an object, found"), "{json}");
        }
    }
}

#[test]
fn the_version_is_the_integer_one() {
    for value in ["true", "1.0", "\"1\"", "2", "0", "null"] {
        refused(&[(&format!(r#"{{"version":{value}}}"#), "version: the version must be 1")]);
    }
    assert_eq!(document(r#"{"version":1}"#), Document::empty());
}

#[test]
fn top_level_values() {
    refused(&[
        (
            r#"{"preset":"readonly"}"#,
            "preset: unknown value `readonly`, expected one of default, transfer-only, read-only, hardened, locked, \
             did you mean `read-only`?",
        ),
        (r#"{"preset":null}"#, "preset: expected a text, found null"),
        (r#"{"base_dir":"a"}"#, "base_dir: the path must be absolute"),
        (r#"{"base_dir":"/a\u0000"}"#, "base_dir: the text contains a NUL character"),
        (r#"{"groups":"process"}"#, "groups: expected a list or an object, found a text"),
        (r#"{"groups":[1]}"#, "groups[0]: expected a text, found a whole number"),
        (r#"{"groups":{"process":1}}"#, "groups.process: expected a boolean, found a whole number"),
        (r#"{"groups":{"core":false}}"#, "groups.core: the group `core` cannot be switched off"),
    ]);
    for description in ["1", "null", "[1,\"x\"]", "{\"a\":true}"] {
        document(&format!(r#"{{"description":{description}}}"#));
    }
}

#[test]
fn tokens() {
    let digest = "0".repeat(64);
    refused(&[
        (r#"{"auth":{"tokens":{}}}"#, "auth.tokens: expected a list, found an object"),
        (r#"{"auth":{"tokens":[{"scopes":[],"token_env":"X"}]}}"#, "auth.tokens[0]: the key `id` is missing"),
        (r#"{"auth":{"tokens":[{"id":"","scopes":[],"token_env":"X"}]}}"#, "auth.tokens[0].id: the text is empty"),
        (r#"{"auth":{"tokens":[{"id":"a","token_env":"X"}]}}"#, "auth.tokens[0]: the key `scopes` is missing"),
        (
            r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token_env":""}]}}"#,
            "auth.tokens[0].token_env: the text is empty",
        ),
        (
            r#"{"auth":{"tokens":[{"id":"a","scopes":[]}]}}"#,
            "auth.tokens[0]: a token needs exactly one of `token_env` and `token_sha256`",
        ),
        (
            &format!(r#"{{"auth":{{"tokens":[{{"id":"a","scopes":[],"token_env":"X","token_sha256":"{digest}"}}]}}}}"#),
            "auth.tokens[0]: a token needs exactly one of `token_env` and `token_sha256`",
        ),
        (
            r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token_env":"X"},{"id":"a","scopes":[],"token_env":"Y"}]}}"#,
            "auth.tokens[1]: the token id is there already",
        ),
        (r#"{"auth":{"allow_anonymous":1}}"#, "auth.allow_anonymous: expected a boolean, found a whole number"),
    ]);
    for bad in ["0".repeat(63), "0".repeat(65), "g".repeat(64), "é".repeat(32), format!(" {}", "0".repeat(63))] {
        let json = format!(r#"{{"auth":{{"tokens":[{{"id":"a","scopes":[],"token_sha256":"{bad}"}}]}}}}"#);
        refused(&[(&json, "auth.tokens[0].token_sha256: expected 64 hexadecimal digits")]);
    }
}

#[test]
fn a_token_value_by_mistake_is_never_repeated() {
    for json in [
        r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token_sha256":"hunter2"}]}}"#,
        r#"{"auth":{"tokens":[{"id":"a","scopes":[],"token":"hunter2"}]}}"#,
        r#"{"auth":{"tokens":"hunter2"}}"#,
    ] {
        let error = Document::parse(json.as_bytes(), Syntax::Json).expect_err(json);
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[test]
fn rule_values() {
    refused(&[
        (r#"{"defaults":{"enabled":"yes"}}"#, "defaults.enabled: expected a boolean, found a text"),
        (r#"{"defaults":{"enabled":null}}"#, "defaults.enabled: expected a boolean, found null"),
        (
            r#"{"defaults":{"audit":"All"}}"#,
            "defaults.audit: unknown value `All`, expected one of off, deny, all, did you mean `all`?",
        ),
        (r#"{"defaults":{"audit":true}}"#, "defaults.audit: expected a text, found a boolean"),
        (r#"{"defaults":{"paths":{"allow":["a"]}}}"#, "defaults.paths.allow[0]: the path must be absolute"),
        (r#"{"defaults":{"paths":{"allow":[""]}}}"#, "defaults.paths.allow[0]: the path must be absolute"),
        (r#"{"defaults":{"paths":{"deny":[""]}}}"#, "defaults.paths.deny[0]: the pattern is empty"),
        (r#"{"defaults":{"paths":{"deny":["a/.."]}}}"#, "defaults.paths.deny[0]: the pattern is empty"),
        (
            r#"{"defaults":{"paths":{"deny":["a\u0000"]}}}"#,
            "defaults.paths.deny[0]: the pattern contains a NUL character",
        ),
        (r#"{"defaults":{"paths":{"deny":"a"}}}"#, "defaults.paths.deny: expected a list, found a text"),
        (
            r#"{"defaults":{"paths":{"symlinks":"always"}}}"#,
            "defaults.paths.symlinks: unknown value `always`, expected one of within, never",
        ),
    ]);
    let json = r#"{"defaults":{"scopes":["files:read","A:b"]}}"#;
    assert!(message(json).contains(r#"defaults.scopes[1]: not a scope: "A:b""#), "{}", message(json));
    document(r#"{"defaults":{"scopes":[],"paths":{"allow":["/"],"deny":["/"]}}}"#);
}

#[test]
fn counts_are_whole_numbers_above_zero() {
    let with = |value: &str| format!(r#"{{"defaults":{{"limits":{{"max_entries":{value}}}}}}}"#);
    for (value, problem) in [
        ("0", "the number must be above 0"),
        ("-1", "the number must be above 0"),
        ("5.0", "expected a whole number, found a float"),
        ("\"5\"", "expected a whole number, found a text"),
        ("true", "expected a whole number, found a boolean"),
        ("null", "expected a whole number, found null"),
        ("18446744073709551616", "the number is too large"),
    ] {
        refused(&[(&with(value), &format!("defaults.limits.max_entries: {problem}"))]);
    }
    document(&with("18446744073709551615"));
}

#[test]
fn sizes_are_numbers_or_texts() {
    let with = |value: &str| format!(r#"{{"defaults":{{"limits":{{"max_bytes":{value}}}}}}}"#);
    for value in ["5", "\"5\"", "\"5B\"", "\"5 b\"", "\" 5 MB \"", "\"1.5GiB\""] {
        document(&with(value));
    }
    for value in [
        "0", "-1", "true", "1.0", "null", "\"5k\"", "\"5M\"", "\"5TB\"", "\".5KB\"", "\"5.KB\"", "\"1e3\"", "\"0.1\"",
        "\"0.9B\"", "\"-5\"", "\"+5\"", "[]",
    ] {
        assert!(message(&with(value)).contains("defaults.limits.max_bytes: "), "{value}");
    }
}

#[test]
fn times_are_finite_numbers_above_zero() {
    let with = |value: &str| format!(r#"{{"defaults":{{"limits":{{"timeout_seconds":{value}}}}}}}"#);
    for value in ["1", "0.5", "1e3"] {
        document(&with(value));
    }
    for value in ["0", "0.0", "-1.5", "true", "\"1\"", "null", "1e400", "NaN"] {
        message(&with(value));
    }
}

#[test]
fn params_have_their_kinds() {
    for (key, good, bad) in [
        ("overwrite", "true", "\"yes\""),
        ("allow_extensions", "[\".a\"]", "[1]"),
        ("allowed_signals", "[-1, 9]", "[true]"),
        ("allowed_signals", "[]", "[9.0]"),
        ("languages", "[]", "\"python\""),
        ("deny_vars", "[\"A*\", \"[\"]", "[null]"),
        ("url_allow", "[\"https://*\"]", "{}"),
        ("block_private_networks", "false", "0"),
        ("allow_commands", "[\"ls ...\"]", "[\"'\"]"),
        ("deny_commands", "[\"rm -r ...\"]", "[\" \"]"),
    ] {
        document(&format!(r#"{{"defaults":{{"params":{{"{key}":{good}}}}}}}"#));
        let message = message(&format!(r#"{{"defaults":{{"params":{{"{key}":{bad}}}}}}}"#));
        assert!(message.contains(&format!("defaults.params.{key}")), "{message}");
    }
    refused(&[(
        r#"{"defaults":{"params":{"allow_commands":["a ... ... ... ..."]}}}"#,
        "defaults.params.allow_commands[0]: `...` stands more than 3 times",
    )]);
}

#[test]
fn empty_lists_restrict_nothing_or_admit_nothing() {
    let policy = resolve(
        r#"{"defaults":{"params":{"allow_extensions":[],"allow_commands":[],"allow_vars":[],"url_allow":[],
            "allowed_signals":[],"shells":[],"languages":[]}}}"#,
    );
    assert!(rule(&policy, "files_upload").params().admits_extension("a.b"));
    assert!(rule(&policy, "shell").params().allow_commands().is_none());
    assert!(rule(&policy, "env_get").params().allow_vars().is_none());
    assert!(rule(&policy, "browser_navigate").params().url_allow().is_none());
    assert_eq!(rule(&policy, "process_signal").params().allowed_signals(), Some([].as_slice()));
    assert_eq!(rule(&policy, "pty_create_session").params().shells(), Some([].as_slice()));
    assert_eq!(rule(&policy, "code_run").params().languages(), Some([].as_slice()));
    let policy = resolve("{}");
    assert_eq!(rule(&policy, "process_signal").params().allowed_signals(), None);
    assert!(rule(&policy, "files_upload").params().overwrite());
    assert!(!rule(&policy, "browser_navigate").params().block_private_networks());
}

#[test]
fn extensions_are_compared_without_case_and_denied_first() {
    let policy = resolve(r#"{"defaults":{"params":{"allow_extensions":[".TXT",".gz",""],"deny_extensions":[".Gz"]}}}"#);
    let params = rule(&policy, "files_upload").params();
    for (name, admitted) in
        [("a.txt", true), ("a.TXT", true), ("a.tar.gz", false), ("noext", true), (".env", true), ("a.pdf", false)]
    {
        assert_eq!(params.admits_extension(name), admitted, "{name}");
    }
}

#[test]
fn yaml_words_are_booleans_only_where_one_is_expected() {
    let yaml = "defaults:\n  enabled: yes\n  audit: off\n  paths: {read_only: On, allow: [/srv]}\ngroups: {process: no}\nendpoints:\n  shell: {enabled: NO}\n";
    let json = r#"{"defaults":{"enabled":true,"audit":"off","paths":{"read_only":true,"allow":["/srv"]}},"groups":{"process":false},"endpoints":{"shell":{"enabled":false}}}"#;
    let parsed = Document::parse(yaml.as_bytes(), Syntax::Yaml).expect("YAML");
    assert_eq!(parsed.revision(), document(json).revision());

    for yaml in
        ["defaults: {enabled: 'yes'}", "defaults: {enabled: y}", "defaults: {enabled: 1}", "defaults:\n", "", "- a"]
    {
        assert!(Document::parse(yaml.as_bytes(), Syntax::Yaml).is_err(), "{yaml}");
    }
}

#[test]
fn plugins_are_named_by_group() {
    let policy = document(r#"{"plugins":{"weather":{"file":"/opt/weather.wasm","grant":["http","log"]},"x":{}}}"#);
    let [weather, other] = policy.plugins() else { panic!("{:?}", policy.plugins()) };
    assert_eq!((weather.group.as_str(), weather.file.as_deref()), ("weather", Some("/opt/weather.wasm")));
    assert_eq!(weather.grant.as_deref(), Some(["http".to_owned(), "log".to_owned()].as_slice()));
    assert_eq!((other.group.as_str(), other.file.as_deref(), other.grant.as_deref()), ("x", None, None));
    refused(&[
        (r#"{"plugins":{"x":{"file":"a.wasm"}}}"#, "plugins.x.file: the path must be absolute"),
        (r#"{"plugins":{"x":{"grants":[]}}}"#, "plugins.x: unknown key `grants`, did you mean `grant`?"),
    ]);
}

#[test]
fn a_deployment_sets_a_plugins_budget() {
    let policy = document(
        r#"{"plugins":{"x":{"budget":{"memory_bytes":"16 MiB","slots":4,"cpu_seconds":1,"wall_seconds":0.5}}}}"#,
    );
    let budget = policy.plugins()[0].budget.unwrap();
    assert_eq!((budget.memory_bytes, budget.slots), (Some(16 << 20), Some(4)));
    assert_eq!((budget.cpu_seconds, budget.wall_seconds, budget.wait_seconds), (Some(1.0), Some(0.5), None));
    let other = document(r#"{"plugins":{"x":{"budget":{"slots":4}}}}"#);
    assert_ne!(policy.revision(), other.revision());
    refused(&[
        (
            r#"{"plugins":{"x":{"budget":{"cpu_second":1}}}}"#,
            "plugins.x.budget: unknown key `cpu_second`, did you mean `cpu_seconds`?",
        ),
        (r#"{"plugins":{"x":{"budget":{"slots":0}}}}"#, "plugins.x.budget.slots: the number must be above 0"),
        (
            r#"{"plugins":{"x":{"budget":{"wall_seconds":-1}}}}"#,
            "plugins.x.budget.wall_seconds: the number must be above 0",
        ),
        (r#"{"plugins":{"x":{"budget":[]}}}"#, "plugins.x.budget: expected an object, found a list"),
    ]);
}
