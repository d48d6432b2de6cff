//! Whatever the host hands over, a plugin gets a value or a problem, never a panic.

use abx_sdk::{InBody, Request, base64, json, members, words};
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy;

fn request(query: Vec<(String, String)>, body: Vec<u8>) -> Request {
    Request { path_params: vec![], query, headers: vec![], body: InBody::Json(body) }
}

/// Bytes that are more often nearly JSON than not.
fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..64),
        r#"\{("(a|b|\\u0061)":(null|true|-?[0-9.eE+]{0,5}|"[a\\"ud80é]{0,6}"|[\[\]{}]{0,6}),?){0,4}\}?"#
            .prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn bodies_are_read_or_refused(body in body()) {
        let request = request(vec![], body);
        if let Ok(found) = request.members(["a", "b"]) {
            for member in found.into_iter().flatten() {
                let _ = (member.kind(), member.text(), member.boolean(), member.integer(), member.float());
                let _ = (member.value(), member.real(), member.is_truthy(), member.entries());
            }
        }
        let _ = request.json();
    }

    #[test]
    fn members_are_those_of_a_full_parser(body in body()) {
        if let Ok(serde_json::Value::Object(object)) = serde_json::from_slice(&body) {
            let [a, b] = members(&body, ["a", "b"]).unwrap();
            for (name, member) in [("a", a), ("b", b)] {
                prop_assert_eq!(member.map(|member| member.value().unwrap()), object.get(name).cloned());
            }
        }
    }

    #[test]
    fn queries_are_read_or_refused(name in "(n|path|path_b64)", text in prop_oneof![".{0,24}", "[-+ _.0-9eEinf]{0,12}"]) {
        let request = request(vec![(name, text)], vec![]);
        let _ = (request.query_flag("n"), request.query_integer("n"), request.query_float("n"), request.query_path("path"));
    }

    /// Patterns of the policy are split by the host: a command has to be the same words here and there.
    #[test]
    fn commands_are_split_as_patterns_are(text in r#"[ab \t\n'"\\é]{0,24}"#) {
        prop_assert_eq!(words::split(&text).ok(), abxd_command::split_words(&text).ok());
    }

    #[test]
    fn texts_survive(text in any::<String>()) {
        prop_assert_eq!(serde_json::from_str::<String>(&json::text(&text)).unwrap(), text);
    }

    #[test]
    fn bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let mut text = Vec::new();
        base64::push(&mut text, &bytes);
        prop_assert_eq!(base64::decode(std::str::from_utf8(&text).unwrap()), Some(bytes));
    }
}
