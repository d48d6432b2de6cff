//! `pty_list_sessions`: the caller's sessions. Contract: terminal, GET /pty/sessions.

use abx_sdk::terminal::{self, Session};
use abx_sdk::{Response, json};

use crate::session::describe;

pub(crate) fn list() -> Response {
    Response::json(answer(&terminal::list()))
}

fn answer(sessions: &[Session]) -> Vec<u8> {
    json::object(32 + sessions.len() * 128, |answer| {
        answer.list("sessions", |list| {
            for session in sessions {
                list.object(|object| describe(object, session));
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::session::tests::session;
    use serde_json::Value;

    #[test]
    fn sessions_are_listed_in_order() {
        assert_eq!(answer(&[]), br#"{"sessions":[]}"#);
        let other = abx_sdk::terminal::Session { id: "000000000000".to_owned(), ..session() };
        let listed: Value = serde_json::from_slice(&answer(&[session(), other])).unwrap();
        let ids: Vec<_> = listed["sessions"].as_array().unwrap().iter().map(|session| &session["id"]).collect();
        assert_eq!(ids, ["358adbfdb3b6", "000000000000"]);
    }
}
