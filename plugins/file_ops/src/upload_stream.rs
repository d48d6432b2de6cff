//! `files_upload_stream`: one file as base64 in a JSON body. Contract: file_ops §8.

use abx_sdk::files::Encoding;
use abx_sdk::{Problem, Request, Response, members, path};

use crate::store::store;

pub(crate) fn upload_stream(request: Request) -> Result<Response, Problem> {
    let (text, content) = request.into_json_aside();
    let [path, twin] = members(&text, ["path", "path_b64"])?;
    let path = path::required("path", path::from_members("path", path, twin)?)?;
    // Not set aside: it was missing or no string. Empty text is refused here, though `/upload` takes it.
    let content = content.filter(|content| content.size() != Some(0));
    let content = content.ok_or_else(|| Problem::value_error("content_base64 must be text that is not empty"))?;
    store(&path, content, Encoding::Base64)
}

#[cfg(test)]
mod tests {
    use super::upload_stream;
    use abx_sdk::{InBody, Request};

    #[test]
    fn the_path_is_looked_at_before_the_content() {
        for (body, code) in [
            (r#"{"content_base64":5}"#, Some("invalid_path")),
            (r#"{"path":5}"#, Some("invalid_path")),
            (r#"{"path":"/a"}"#, None),
            (r#"{"path":"/a","content_base64":5}"#, None),
            (r#"{"path_b64":"L2E=","content_base64":null}"#, None),
        ] {
            let body = InBody::Json(body.into());
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body };
            let problem = upload_stream(request).err().unwrap();
            assert_eq!((problem.fault().unwrap().status, problem.code()), (400, code));
        }
    }
}
