//! The endpoints of group `browser`: each reads its arguments, asks the host for one operation on the caller's page and words
//! the answer.
//!
//! The order is the contract's everywhere: arguments without which nothing can be done, the address, whether there is a
//! browser at all, and only then what the browser's own client would find wrong with an argument.

mod arguments;
mod click;
mod console;
mod content;
mod evaluate;
mod navigate;
mod pdf;
mod problem;
mod screenshot;
mod typing;

use abx_sdk::{Plugin, Problem, Request, Response};

struct Browser;

impl Plugin for Browser {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "browser_navigate" => navigate::navigate(&request),
            "browser_screenshot" => screenshot::screenshot(&request),
            "browser_content" => content::content(&request),
            "browser_click" => click::click(&request),
            "browser_type" => typing::type_text(&request),
            "browser_evaluate" => evaluate::evaluate(&request),
            "browser_pdf" => pdf::pdf(&request),
            "browser_console" => console::console(),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(Browser);

#[cfg(test)]
mod tests {
    use super::Browser;
    use abx_sdk::{InBody, Plugin, Request};

    fn request(body: &str) -> Request {
        let body = InBody::Json(body.as_bytes().to_vec());
        Request { path_params: vec![], query: vec![], headers: vec![], body }
    }

    #[test]
    fn what_is_not_served_is_unavailable() {
        let problem = Browser::handle("shell", request("{}")).err().unwrap();
        assert_eq!((problem.fault().unwrap().status, problem.code()), (503, Some("plugin_unavailable")));
    }

    #[test]
    fn what_nothing_can_be_done_without_is_a_plain_value_error() {
        for (op, bodies) in [
            ("browser_navigate", &["{}", r#"{"url":""}"#, r#"{"url":5}"#, r#"{"url":null}"#][..]),
            ("browser_click", &["{}", r#"{"selector":""}"#, r#"{"selector":["a"]}"#]),
            ("browser_type", &["{}", r##"{"selector":"#a"}"##, r##"{"selector":"#a","text":5}"##, r#"{"text":"x"}"#]),
            ("browser_evaluate", &["{}", r#"{"script":""}"#, r#"{"script":1}"#]),
        ] {
            for body in bodies {
                let problem = Browser::handle(op, request(body)).err().unwrap();
                let fault = problem.fault().unwrap();
                assert_eq!((fault.status, &*fault.kind, problem.code()), (400, "ValueError", None), "{op} {body}");
            }
        }
    }
}
