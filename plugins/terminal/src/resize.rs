//! `pty_resize`: the size of a session's terminal. Contract: terminal, POST /pty/sessions/{id}/resize.

use abx_sdk::terminal::{self, Size};
use abx_sdk::{Problem, Request, Response, json};

use crate::session::{describe, id, unknown};
use crate::size;

/// The longest side.
const MOST: u16 = 1000;

pub(crate) fn resize(request: &Request) -> Result<Response, Problem> {
    // Whether there is a session counts before what the body says.
    terminal::find(id(request)).ok_or_else(unknown)?;
    let session = terminal::resize(id(request), asked(request)?).ok_or_else(unknown)?;
    Ok(Response::json(json::object(128, |answer| describe(answer, &session))))
}

/// Both sides have to be there.
fn asked(request: &Request) -> Result<Size, Problem> {
    let [cols, rows] = request.members(["cols", "rows"])?;
    let (Some(cols), Some(rows)) = (cols, rows) else {
        return Err(Problem::value_error("cols and rows are required"));
    };
    Ok(Size { cols: size::side("cols", cols, 1..=MOST)?, rows: size::side("rows", rows, 1..=MOST)? })
}

#[cfg(test)]
mod tests {
    use super::asked;
    use abx_sdk::{InBody, Request};
    use serde_json::{Value, json};

    fn size(body: &Value) -> Result<(u16, u16), (u16, String, Option<String>)> {
        let body = InBody::Json(body.to_string().into_bytes());
        let request = Request { path_params: vec![], query: vec![], headers: vec![], body };
        asked(&request).map(|size| (size.cols, size.rows)).map_err(|problem| {
            let fault = problem.fault().unwrap();
            (fault.status, fault.kind.clone(), fault.code.clone())
        })
    }

    #[test]
    fn both_sides_are_taken_as_int_takes_them() {
        assert_eq!(size(&json!({"cols": "120", "rows": "41"})), Ok((120, 41)));
        assert_eq!(size(&json!({"cols": 100.9, "rows": true})), Ok((100, 1)));
        assert_eq!(size(&json!({"cols": 1000, "rows": 1})), Ok((1000, 1)));
    }

    #[test]
    fn anything_else_is_a_value_error() {
        for body in [
            json!({}),
            json!({"cols": 80}),
            json!({"rows": 80}),
            json!({"cols": 0, "rows": 24}),
            json!({"cols": 80, "rows": 1001}),
            json!({"cols": null, "rows": 1}),
            json!({"cols": "a", "rows": 1}),
            json!({"cols": [1], "rows": 1}),
            json!({"cols": -1, "rows": 1}),
            json!({"cols": 99999, "rows": 1}),
        ] {
            assert_eq!(size(&body), Err((400, "ValueError".to_owned(), None)), "{body}");
        }
    }
}
