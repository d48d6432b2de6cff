//! A plugin that serves commands besides its endpoint.

use abx_sdk::{Fault, InBody, Plugin, Problem, Request, Response, files, json};

struct Tools;

impl Plugin for Tools {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "tools_look" => Ok(Response::json(json::object(16, |answer| answer.flag("here", true)))),
            "command:show" => match request.body {
                InBody::Json(text) => Ok(Response::json(text)),
                _ => Err(Problem::value_error("there are no arguments")),
            },
            "command:size" => size(&request),
            "command:fail" => Err(Fault::new(418, "Teapot", "short and stout").into()),
            "command:no json" => Ok(Response::json(b"1,\"other\":2".to_vec())),
            "command:nothing" => Ok(Response::empty(204)),
            #[expect(clippy::panic, reason = "it is to break down")]
            "command:burst" => panic!("burst"),
            _ => Err(Problem::unavailable(["this plugin has no ", op].concat())),
        }
    }
}

/// The size of a file: the host's guards judge the path.
fn size(request: &Request) -> Result<Response, Problem> {
    let [path] = request.members(["path"])?;
    let path = path.and_then(|path| path.text()).unwrap_or_default();
    let found = files::stat(path.as_bytes())?;
    Ok(Response::json(found.metadata.map_or_else(|| "null".to_owned(), |data| data.size.to_string()).into_bytes()))
}

abx_sdk::export!(Tools);
