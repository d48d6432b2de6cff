//! `files_delete`: remove a file, a link or a tree. Contract: file_ops §5.

use abx_sdk::{Problem, Request, Response, files, json};

pub(crate) fn delete(request: &Request) -> Result<Response, Problem> {
    let path = request.require_path("path")?;
    Ok(Response::json(answer(&files::remove(&path)?)))
}

fn answer(path: &[u8]) -> Vec<u8> {
    json::object(40 + path.len(), |answer| {
        answer.bytes("path", path);
        answer.flag("deleted", true);
    })
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn the_answer_names_what_was_removed() {
        assert_eq!(answer(b"/d/x"), br#"{"path":"/d/x","deleted":true}"#);
    }
}
