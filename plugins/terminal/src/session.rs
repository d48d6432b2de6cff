//! A session as answers show it. Contract: terminal, session object.

use abx_sdk::json::Object;
use abx_sdk::terminal::Session;
use abx_sdk::{Problem, Request};

/// The id of the request's path.
pub(crate) fn id(request: &Request) -> &str {
    request.path_param(0).unwrap_or_default()
}

/// There is no such session, or it is somebody else's.
pub(crate) fn unknown() -> Problem {
    abx_sdk::Fault::new(404, "ValueError", "there is no such session").into()
}

pub(crate) fn describe(object: &mut Object<'_>, session: &Session) {
    object.text("id", &session.id);
    object.integer("pid", session.pid);
    #[expect(clippy::cast_precision_loss, reason = "microseconds are as fine as the contract's number is")]
    object.float("created_at", session.created as f64 / 1e9);
    object.integer("cols", session.size.cols);
    object.integer("rows", session.size.rows);
    object.flag("alive", session.alive);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::describe;
    use abx_sdk::json;
    use abx_sdk::terminal::{Session, Size};
    use serde_json::{Value, json};

    /// The contract's example.
    pub(crate) fn session() -> Session {
        Session {
            id: "358adbfdb3b6".to_owned(),
            pid: 7,
            created: 1_795_971_908_977_440_000,
            size: Size { cols: 80, rows: 24 },
            alive: true,
        }
    }

    #[test]
    fn a_session_has_exactly_the_contracts_keys() {
        let text = json::object(0, |object| describe(object, &session()));
        let expected = json!({
            "id": "358adbfdb3b6", "pid": 7, "created_at": 1_795_971_908.977_44, "cols": 80, "rows": 24, "alive": true,
        });
        assert_eq!(serde_json::from_slice::<Value>(&text).unwrap(), expected);
    }
}
