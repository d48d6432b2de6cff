//! `pty_delete_session`: end a session with all that came from it. Contract: terminal, DELETE /pty/sessions/{id}.

use abx_sdk::{Problem, Request, Response, json, terminal};

use crate::session::{id, unknown};

pub(crate) fn delete(request: &Request) -> Result<Response, Problem> {
    let id = id(request);
    if !terminal::close(id) {
        return Err(unknown());
    }
    Ok(Response::json(answer(id)))
}

fn answer(id: &str) -> Vec<u8> {
    json::object(64, |answer| {
        answer.text("status", "closed");
        answer.text("session_id", id);
    })
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn the_answer_names_the_session() {
        assert_eq!(answer("358adbfdb3b6"), br#"{"status":"closed","session_id":"358adbfdb3b6"}"#);
    }
}
