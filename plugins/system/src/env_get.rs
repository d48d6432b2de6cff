//! `env_get`: the environment that children begin with, without what the host hides. Contract: system.

use abx_sdk::{Request, Response, json, system};

pub(crate) fn env_get(request: &Request) -> Response {
    Response::json(answer(&system::variables(), request.query("filter")))
}

fn answer(variables: &[(String, String)], filter: Option<&str>) -> Vec<u8> {
    let names = filter.map(|filter| filter.split(',').map(str::trim).collect::<Vec<_>>());
    let shown = variables.iter().filter(|(name, _)| names.as_ref().is_none_or(|names| names.contains(&name.as_str())));
    json::object(64 + variables.len() * 48, |answer| {
        answer.object("variables", |list| {
            for (name, value) in shown {
                list.named_text(name, value);
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::answer;

    fn read(filter: Option<&str>) -> String {
        let variables = [("B", "1"), ("A", "2\n"), ("E", ""), ("q\"", "x")];
        let variables: Vec<_> = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        String::from_utf8(answer(&variables, filter)).unwrap()
    }

    #[test]
    fn variables_keep_their_order() {
        assert_eq!(read(None), r#"{"variables":{"B":"1","A":"2\n","E":"","q\"":"x"}}"#);
    }

    #[test]
    fn a_filter_is_a_list_of_whole_names() {
        for (filter, shown) in [
            ("A", r#"{"A":"2\n"}"#),
            ("E, B ,MISSING", r#"{"B":"1","E":""}"#),
            ("a,A*", "{}"),
            (",", "{}"),
            ("  ", "{}"),
        ] {
            assert_eq!(read(Some(filter)), format!(r#"{{"variables":{shown}}}"#), "{filter:?}");
        }
    }
}
