//! Authentication, row by row of `contract: pipeline §6`, and what must never be shown.

use abxd_policy::{AuthError, Credentials, Identities, IdentityError, Refusal};

use crate::support::{document, identities, resolve, rule};

/// Two tokens, `a-token` and `b-token`, and one that repeats the first.
const TWO: &str = r#"{"auth":{"tokens":[
    {"id":"a","scopes":["files:*"],"token_env":"A-TOKEN"},
    {"id":"b","scopes":["*"],"token_env":"B-TOKEN"},
    {"id":"again","scopes":[],"token_env":"A-TOKEN"}]}}"#;

fn credentials<'a>(authorization: &[&'a str], access_token: &[&'a str]) -> Credentials<'a> {
    Credentials::from_headers(
        authorization.iter().map(|value| value.as_bytes()),
        access_token.iter().map(|value| value.as_bytes()),
    )
}

fn ask(identities: &Identities, authorization: &[&str], access_token: &[&str]) -> Result<String, AuthError> {
    identities.authenticate(&credentials(authorization, access_token)).map(|identity| identity.id().to_string())
}

/// `Authorization` values, `X-Access-Token` values, and who that is.
type Row = (&'static [&'static str], &'static [&'static str], Result<&'static str, AuthError>);

#[test]
fn credentials_and_who_they_are() {
    let known = identities(TWO);
    let rows: &[Row] = &[
        (&["Bearer a-token"], &[], Ok("a")),
        (&["bearer b-token"], &[], Ok("b")),
        (&["BEARER   b-token "], &[], Ok("b")),
        (&[], &["b-token"], Ok("b")),
        (&[], &[" b-token\t"], Ok("b")),
        (&["Bearer\tb-token"], &[], Err(AuthError::Unauthorized)),
        (&["Basic b-token"], &[], Err(AuthError::Unauthorized)),
        (&["b-token"], &[], Err(AuthError::Unauthorized)),
        (&["Bearer "], &[], Err(AuthError::Unauthorized)),
        (&["Bearer nope"], &[], Err(AuthError::Unauthorized)),
        (&["Bearer B-TOKEN"], &[], Err(AuthError::Unauthorized)),
        (&[], &[], Err(AuthError::Unauthorized)),
        (&["Bearer nope"], &["b-token"], Ok("b")),
        (&["Bearer b-token"], &["nope"], Ok("b")),
        (&["Bearer a-token"], &["b-token"], Ok("a")),
        (&["Bearer nope", "Bearer b-token", "Bearer a-token"], &[], Ok("b")),
        (&["Basic x"], &["a-token"], Ok("a")),
        (&[], &["a-token", "a-token"], Ok("a")),
        (&[], &["a-token", " a-token"], Ok("a")),
        (&["Bearer a-token"], &["x", "y"], Err(AuthError::Ambiguous)),
        (&["Bearer a-token"], &["a-token", ""], Err(AuthError::Ambiguous)),
        (&[], &["", " "], Err(AuthError::Unauthorized)),
    ];
    for (authorization, access_token, expected) in rows {
        let found = ask(&known, authorization, access_token);
        assert_eq!(found.as_deref().map_err(|&error| error), *expected, "{authorization:?} {access_token:?}");
    }
}

#[test]
fn anonymous_callers() {
    let token = r#""tokens":[{"id":"a","scopes":[],"token_env":"A-TOKEN"}]"#;
    let rows: &[(String, Option<&str>, Result<&str, AuthError>)] = &[
        ("{}".to_owned(), None, Ok("anonymous")),
        ("{}".to_owned(), Some("Bearer whatever"), Ok("anonymous")),
        (r#"{"auth":{"allow_anonymous":true}}"#.to_owned(), None, Ok("anonymous")),
        (r#"{"auth":{"allow_anonymous":false}}"#.to_owned(), None, Err(AuthError::Unauthorized)),
        (r#"{"auth":{"allow_anonymous":false}}"#.to_owned(), Some("Bearer x"), Err(AuthError::Unauthorized)),
        (format!(r#"{{"auth":{{{token}}}}}"#), None, Err(AuthError::Unauthorized)),
        (format!(r#"{{"auth":{{{token},"allow_anonymous":true}}}}"#), None, Ok("anonymous")),
        (format!(r#"{{"auth":{{{token},"allow_anonymous":true}}}}"#), Some("Bearer x"), Err(AuthError::Unauthorized)),
        (format!(r#"{{"auth":{{{token},"allow_anonymous":true}}}}"#), Some("Bearer a-token"), Ok("a")),
        (r#"{"auth":{"tokens":[]}}"#.to_owned(), None, Ok("anonymous")),
    ];
    for (json, authorization, expected) in rows {
        let authorization: Vec<&str> = authorization.iter().copied().collect();
        let found = ask(&identities(json), &authorization, &[]);
        assert_eq!(found.as_deref().map_err(|&error| error), *expected, "{json} {authorization:?}");
    }
}

#[test]
fn two_access_tokens_are_ambiguous_even_without_any_token_configured() {
    assert_eq!(ask(&identities("{}"), &[], &["x", "y"]), Err(AuthError::Ambiguous));
}

#[test]
fn anonymous_scopes_are_everything_unless_given() {
    let open = identities("{}");
    assert!(open.anonymous().is_some_and(|identity| identity.scopes().holds_everything()));
    let narrow = identities(r#"{"auth":{"anonymous_scopes":["files:read"]}}"#);
    let policy = resolve("{}");
    let anonymous = narrow.anonymous().expect("anonymous callers");
    assert_eq!(rule(&policy, "files_list").admit(anonymous), Ok(()));
    assert_eq!(rule(&policy, "capabilities").admit(anonymous), Ok(()));
    assert!(matches!(
        rule(&policy, "shell").admit(anonymous),
        Err(Refusal::MissingScope { scope }) if scope.as_str() == "process:run"
    ));
}

#[test]
fn an_endpoint_that_is_off_says_so_before_any_scope() {
    let policy = resolve(r#"{"endpoints":{"shell":{"enabled":false}}}"#);
    let nobody = abxd_policy::Identity::unauthenticated();
    let refusal = rule(&policy, "shell").admit(&nobody);
    assert!(matches!(refusal, Err(Refusal::Disabled { origin }) if origin.rule == "policy:endpoints.shell"));
    assert_eq!(rule(&policy, "health").admit(&nobody), Ok(()));
    assert!(matches!(
        rule(&policy, "files_move").admit(&nobody),
        Err(Refusal::MissingScope { scope }) if scope.as_str() == "files:write"
    ));
}

#[test]
fn tokens_are_bytes_and_digests_work_like_variables() {
    // SHA-256 of the one byte 0xE9, which is no UTF-8, and of `abc`.
    for (digest, token) in [
        ("DE2E331D891AE267A7009CB45B4E8830F170E0C937288EA2731A1941C7A53B0D", b"Bearer \xe9".as_slice()),
        ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", b"Bearer abc".as_slice()),
    ] {
        let json = format!(r#"{{"auth":{{"tokens":[{{"id":"a","scopes":[],"token_sha256":"{digest}"}}]}}}}"#);
        let found = identities(&json).authenticate(&Credentials::from_headers([token], []));
        assert_eq!(found.map(|identity| identity.id().to_string()), Ok("a".to_owned()));
    }
    let raw = Identities::new(&document(TWO), &|name| Some(if name == "A-TOKEN" { vec![0xe9] } else { vec![b'x'] }))
        .expect("tokens");
    let found = raw.authenticate(&Credentials::from_headers([b"Bearer \xe9".as_slice()], []));
    assert_eq!(found.map(|identity| identity.id().to_string()), Ok("a".to_owned()));
}

#[test]
fn a_token_by_another_way() {
    let known = identities(TWO);
    let id = |credentials| known.authenticate(&credentials).map(|identity| identity.id().to_string());
    assert_eq!(id(Credentials::from_token(b"b-token")), Ok("b".to_owned()));
    assert_eq!(id(Credentials::from_token(b"")), Err(AuthError::Unauthorized));
    let joined = credentials(&["Bearer nope"], &[]).and(Credentials::from_token(b"a-token"));
    assert_eq!(id(joined), Ok("a".to_owned()));
}

#[test]
fn variables_must_hold_something() {
    for value in [None, Some(Vec::new())] {
        let error = Identities::new(&document(TWO), &|_| value.clone()).expect_err("no value");
        assert_eq!(error, IdentityError::VariableUnset { id: "a".into(), variable: "A-TOKEN".into() });
    }
}

#[test]
fn secrets_are_named_and_never_shown() {
    let known = identities(TWO);
    let names: Vec<_> = known.secret_names().iter().map(String::as_str).collect();
    assert_eq!(names, ["A-TOKEN", "ABX_SERVER_POLICY", "ABX_SERVER_POLICY_FILE", "ABX_SERVER_TOKEN", "B-TOKEN"]);
    assert!(known.has_tokens() && !identities("{}").has_tokens());
    let given = credentials(&["Bearer a-token"], &["b-token"]);
    let shown = format!("{known:?} {given:?}");
    assert!(!shown.contains("token\"") && !shown.contains("-token"), "{shown}");
}
