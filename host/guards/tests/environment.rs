//! The environment guard and its table (`contract: guards §4`), row by row.
#![allow(clippy::unwrap_used, reason = "a test that can't set its stage has failed")]

use abxd_glob::Glob;
use abxd_guards::environment::{EnvDenial, EnvGuard, JudgedEnvironment, SecretNames, VariableRule};
use proptest::prelude::*;

type Code = Result<(), &'static str>;

const PASSES: Code = Ok(());
const INVALID: Code = Err("env_invalid");
const DENIED: Code = Err("env_var_denied");
const NOT_ALLOWED: Code = Err("env_var_not_allowed");

fn globs(texts: &[&str]) -> Vec<Glob> {
    texts.iter().map(|text| Glob::new(text).unwrap()).collect()
}

/// Pairs of a request; `None` is a value that is no text.
fn judge(guard: &EnvGuard, pairs: &[(&str, Option<&str>)]) -> Result<JudgedEnvironment, EnvDenial> {
    guard.check(pairs.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))))
}

#[track_caller]
fn expect(pairs: &[(&str, Option<&str>)], expected: Code) {
    let judged = judge(&EnvGuard::default(), pairs).map(drop).map_err(EnvDenial::code);
    assert_eq!(judged, expected, "{pairs:?}");
}

#[test]
fn plain_variables_pass() {
    expect(&[], PASSES);
    for (name, value) in [
        ("A", "1"),
        ("A", ""),
        ("_", "x"),
        ("A", "x\ny"),
        ("a_1", "é"),
        ("ABX", "1"),
        ("PATH", "x"),
        ("LD_PRELOAD", "x"),
    ] {
        expect(&[(name, Some(value))], PASSES);
    }
}

#[test]
fn the_servers_prefix_is_denied_in_any_case() {
    for name in ["ABX_SERVER_TOKEN", "abx_x", "Abx_y", "ABX_"] {
        expect(&[(name, Some("1"))], DENIED);
    }
    expect(&[("XABX_", Some("1"))], PASSES);
}

#[test]
fn malformed_names_and_values_are_refused() {
    for name in ["1A", "A-B", "", "É", "A\n", "A B", "A=B", "\0", "a.b"] {
        expect(&[(name, Some("x"))], INVALID);
    }
    expect(&[("A", None)], INVALID);
    expect(&[("A", Some("x\0"))], INVALID);
}

#[test]
fn the_first_pair_that_fails_answers_and_its_form_comes_first() {
    expect(&[("1", Some("x")), ("abx_z", Some("2"))], INVALID);
    expect(&[("A", Some("1")), ("abx_z", Some("2")), ("1", Some("x"))], DENIED);
    expect(&[("abx_z", None), ("A", Some("1"))], INVALID);
    expect(&[("abx_z", Some("\0"))], INVALID);
}

#[test]
fn a_plugins_patterns_deny_names_exactly() {
    let guard = EnvGuard::new(globs(&["AWS_*"]));
    let code = |name| judge(&guard, &[(name, Some("x"))]).map(drop).map_err(EnvDenial::code);
    assert_eq!(code("AWS_KEY"), DENIED);
    assert_eq!(code("aws_key"), PASSES);
    assert_eq!(code("1AWS_"), INVALID);
}

#[test]
fn a_secrets_name_is_not_for_children() {
    let secrets: SecretNames = ["MY_TOKEN"].into_iter().collect();
    let code = |name, denied: &[&str]| {
        let judged = judge(&EnvGuard::default(), &[("A", Some("1")), (name, Some("x"))]).unwrap();
        judged.for_child(&secrets, denied).map(drop).map_err(EnvDenial::code)
    };
    assert_eq!(code("MY_TOKEN", &[]), NOT_ALLOWED);
    assert_eq!(code("my_token", &[]), PASSES);
    assert_eq!(code("DISPLAY", &["DISPLAY"]), NOT_ALLOWED);
    assert_eq!(code("DISPLAY", &["display", "DISP*"]), PASSES, "a terminal's list has exact names");
}

#[test]
fn env_set_keeps_four_names_and_then_asks_the_lists() {
    let secrets: SecretNames = ["MY_TOKEN"].into_iter().collect();
    let set = |names: &[&str], rule: &VariableRule| {
        let pairs: Vec<_> = names.iter().map(|name| (*name, Some("x"))).collect();
        judge(&EnvGuard::default(), &pairs)?.for_server(&secrets, rule)
    };
    let free = VariableRule::default();
    for name in ["PATH", "HOME", "USER", "SHELL"] {
        assert_eq!(set(&[name], &free), Err(EnvDenial::Fixed));
        assert_eq!(set(&["MY_TOKEN", name], &free), Err(EnvDenial::Fixed), "before secrets and lists");
        assert_eq!(set(&["ABX_Q", name], &free), Err(EnvDenial::Prefix), "after the guard");
    }
    assert_eq!(EnvDenial::Fixed.code(), "env_var_denied");
    assert!(set(&["path", "Home"], &free).is_ok());
    assert_eq!(set(&["MY_TOKEN"], &free), Err(EnvDenial::NotAllowed));
    let rule = VariableRule { allow: Some(globs(&["APP_*"])), deny: globs(&["APP_X"]) };
    assert_eq!(set(&["APP_A"], &rule).unwrap().into_pairs(), [("APP_A".to_owned(), "x".to_owned())]);
    for names in [&["APP_X"][..], &["OTHER"], &["APP_A", "OTHER"]] {
        assert_eq!(set(names, &rule), Err(EnvDenial::NotAllowed), "{names:?}");
    }
    let rule = VariableRule { allow: Some(globs(&["A*", "PATH"])), deny: globs(&["AB*"]) };
    for (name, expected) in [("A2", PASSES), ("ABZ", NOT_ALLOWED), ("C", NOT_ALLOWED), ("PATH", DENIED)] {
        assert_eq!(set(&[name], &rule).map(drop).map_err(EnvDenial::code), expected, "{name}");
    }
}

#[test]
fn env_get_hides_secrets_and_what_looks_like_one() {
    let secrets: SecretNames = ["HIDDEN_ONE"].into_iter().collect();
    let shown = |name| VariableRule::default().shows(name, &secrets);
    for name in [
        "MY_TOKEN",
        "my_secret",
        "MONKEY_X",
        "KEYBOARD",
        "DbPassword",
        "CREDENTIALS",
        "HIDDEN_ONE",
        "ABX_SERVER_BASE_DIR",
        "abx_server_x",
        "\u{17f}ecret",
    ] {
        assert!(!shown(name), "{name}");
    }
    for name in ["A", "PATH", "ABX_PTY_PORT", "hidden_one", "PGPASS", "ABX_SERVER", "\u{fffd}"] {
        assert!(shown(name), "{name}");
    }
    let rule = VariableRule { allow: Some(globs(&["A*"])), deny: globs(&["AB*"]) };
    for (name, expected) in [("A", true), ("AB", false), ("B", false), ("A_KEY", false), ("a", false)] {
        assert_eq!(rule.shows(name, &secrets), expected, "{name}");
    }
    assert!(VariableRule { allow: Some(Vec::new()), deny: Vec::new() }.shows("B", &secrets), "an empty list is none");
}

#[test]
fn the_order_of_the_request_is_kept() {
    let judged = judge(&EnvGuard::default(), &[("B", Some("1")), ("A", Some("2")), ("B", Some("3"))]).unwrap();
    let mut checked = judged.for_child::<&str>(&SecretNames::default(), &[]).unwrap();
    let names = |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(checked.pairs()), ["B", "A", "B"]);
    checked.retain(|name| name != "A");
    assert_eq!(names(checked.pairs()), ["B", "B"]);
}

proptest! {
    /// What passes can be given to a child by any means: names and values hold no `=`, no NUL where it would matter.
    #[test]
    fn any_text_is_judged(name in ".{0,8}|[A-Za-z_][A-Za-z0-9_]{0,6}|(?i)abx_[a-z]{0,3}", value in any::<String>()) {
        let judged = EnvGuard::default().check([(name.clone(), Some(value.clone()))]);
        let first_is_good = name.chars().next().is_some_and(|letter| !letter.is_ascii_digit());
        let all_are_good = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let expected = if !first_is_good || !all_are_good {
            Some(EnvDenial::Name)
        } else if value.contains('\0') {
            Some(EnvDenial::Value)
        } else if name.to_uppercase().starts_with("ABX_") {
            Some(EnvDenial::Prefix)
        } else {
            None
        };
        prop_assert_eq!(judged.err(), expected);
    }
}
