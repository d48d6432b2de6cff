//! Which form a body has, and what a multipart form holds. Contract: file_ops §12.1.

use std::borrow::Cow;

use abx_sdk::Problem;
use abx_sdk::path::{self, Path};

/// How the body carries the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An object with the content in base64.
    Json,
    /// Nothing but the content.
    Raw,
    /// `multipart/form-data`.
    Multipart,
}

/// The form that media type and query say; the first rule that fits counts.
pub(super) fn choose(content_type: &str, path_in_query: bool) -> Form {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("multipart/form-data") {
        Form::Multipart
    } else if media_type.eq_ignore_ascii_case("application/octet-stream") || (path_in_query && !is_json(media_type)) {
        Form::Raw
    } else {
        Form::Json
    }
}

/// `application/json` or any type with the suffix `+json`.
fn is_json(media_type: &str) -> bool {
    let Some((_, subtype)) = media_type.split_once('/') else { return false };
    media_type.eq_ignore_ascii_case("application/json")
        || subtype.rsplit_once('+').is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case("json"))
}

/// The path among the text parts of a form: the last part named `path`, or its twin. None: no such part, or an empty one.
///
/// # Errors
///
/// `ValueError` if both are there or the twin is no base64.
pub(super) fn path(fields: &[(String, String)]) -> Result<Option<Path<'_>>, Problem> {
    let last = |name| {
        let field = fields.iter().rev().find(|(key, _)| key == name);
        field.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    };
    path::from_texts("path", last("path").map(Cow::Borrowed), last("path_b64"))
}

/// The one item.
///
/// # Errors
///
/// `bad_body` if there is none, or more than one.
pub(super) fn only<T>(mut files: impl Iterator<Item = T>) -> Result<T, Problem> {
    match (files.next(), files.next()) {
        (Some(file), None) => Ok(file),
        _ => Err(Problem::bad_body("a form must have exactly one part named file")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, choose, only, path};

    #[test]
    fn the_first_rule_that_fits_chooses_the_form() {
        for (content_type, path_in_query, form) in [
            ("multipart/form-data; boundary=BB", false, Form::Multipart),
            ("Multipart/Form-Data;boundary=x", true, Form::Multipart),
            ("multipart/form-data", true, Form::Multipart),
            ("application/octet-stream", false, Form::Raw),
            ("APPLICATION/OCTET-STREAM ; x=y", true, Form::Raw),
            ("text/plain", true, Form::Raw),
            ("", true, Form::Raw),
            ("multipart/mixed", true, Form::Raw),
            ("json", true, Form::Raw),
            ("application/x+jsonx", true, Form::Raw),
            ("application/json", true, Form::Json),
            ("Application/JSON; charset=utf-8", true, Form::Json),
            ("application/vnd.x+json", true, Form::Json),
            ("text/x+JSON;a=b", true, Form::Json),
            ("text/plain", false, Form::Json),
            ("application/json", false, Form::Json),
            ("", false, Form::Json),
        ] {
            assert_eq!(choose(content_type, path_in_query), form, "{content_type:?} {path_in_query}");
        }
    }

    fn fields(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_form_names_its_path_once() {
        assert_eq!(path(&fields(&[("x", "y"), ("path", "/a")])).unwrap().unwrap(), &b"/a"[..]);
        assert_eq!(path(&fields(&[("path", "/a"), ("path", "/b")])).unwrap().unwrap(), &b"/b"[..]);
        assert_eq!(path(&fields(&[("path_b64", "L2H/"), ("path", "")])).unwrap().unwrap(), &b"/a\xff"[..]);
        assert_eq!(path(&fields(&[("path", "")])).unwrap(), None);
        assert_eq!(path(&fields(&[])).unwrap(), None);
        assert_eq!(path(&fields(&[("path", "/a"), ("path_b64", "L2E=")])).unwrap_err().code(), None);
        assert_eq!(path(&fields(&[("path_b64", "L2E")])).unwrap_err().code(), None);
    }

    #[test]
    fn a_form_has_exactly_one_file() {
        assert_eq!(only([7].into_iter()).unwrap(), 7);
        for files in [&[][..], &[1, 2], &[1, 2, 3]] {
            let problem = only(files.iter()).unwrap_err();
            assert_eq!((problem.fault().unwrap().status, &*problem.fault().unwrap().kind), (400, "ValueError"));
        }
    }
}
