//! The last step of every upload. Contract: file_ops §8, §12.2 steps 6 to 14.

use abx_sdk::bulk::Upload;
use abx_sdk::files::{self, Encoding, SaveOptions, Saved};
use abx_sdk::{Problem, Response, json};

/// Store `content` under `path`. The rule's extensions, size limit and `overwrite` are applied by the host.
pub(crate) fn store(path: &[u8], content: Upload, encoding: Encoding) -> Result<Response, Problem> {
    let saved = files::save(path, content, SaveOptions { encoding, overwrite: true })?;
    Ok(Response::json(answer(&saved)))
}

fn answer(saved: &Saved) -> Vec<u8> {
    json::object(48 + saved.path.len(), |answer| {
        answer.bytes("path", &saved.path);
        answer.integer("bytes", saved.size);
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use abx_sdk::files::Saved;

    #[test]
    fn the_answer_names_path_and_size() {
        assert_eq!(answer(&Saved { path: b"/d/x".to_vec(), size: 5 }), br#"{"path":"/d/x","bytes":5}"#);
    }
}
