//! Where an upload goes. Contract: file_ops §12.1.

use abx_sdk::path::{self, Path};
use abx_sdk::{Fault, Problem};

/// The path that body and query give.
///
/// # Errors
///
/// `duplicate_parameter` if they give two different ones, `invalid_path` if neither gives one.
pub(super) fn agreed<'a>(body: Option<Path<'a>>, query: Option<Path<'a>>) -> Result<Path<'a>, Problem> {
    match (body, query) {
        (Some(body), Some(query)) if body != query => {
            let fault = Fault::new(400, "ValueError", "body and query give two different paths");
            Err(fault.with_code("duplicate_parameter").into())
        }
        (body, query) => path::required("path", body.or(query)),
    }
}

/// The path of `filename` in a directory.
///
/// # Errors
///
/// `invalid_path` if the name could mean anything but an entry of that directory.
pub(super) fn inside(mut directory: Vec<u8>, filename: &str) -> Result<Vec<u8>, Problem> {
    if matches!(filename, "" | "." | "..") || filename.contains(['/', '\\', '\0']) {
        return Err(Problem::invalid_path("the file name of the part is no plain name"));
    }
    if directory.last() != Some(&b'/') {
        directory.push(b'/');
    }
    directory.extend_from_slice(filename.as_bytes());
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::{agreed, inside};
    use abx_sdk::path::Path;

    fn path(text: &str) -> Option<Path<'_>> {
        (!text.is_empty()).then(|| text.as_bytes().into())
    }

    #[test]
    fn body_and_query_must_agree() {
        for (body, query, agreed_on) in [("/a", "", "/a"), ("", "/a", "/a"), ("/a", "/a", "/a")] {
            assert_eq!(agreed(path(body), path(query)).unwrap(), agreed_on.as_bytes());
        }
        for (body, query, code) in [("/a", "/b", "duplicate_parameter"), ("", "", "invalid_path")] {
            assert_eq!(agreed(path(body), path(query)).unwrap_err().code(), Some(code));
        }
    }

    #[test]
    fn a_file_name_is_an_entry_of_the_directory() {
        assert_eq!(inside(b"/d".to_vec(), "x y.bin").unwrap(), b"/d/x y.bin");
        assert_eq!(inside(b"/".to_vec(), "x").unwrap(), b"/x");
        assert_eq!(inside(b"/d".to_vec(), "...").unwrap(), b"/d/...");
        for name in ["", ".", "..", "a/b", "/a", "a\\b", "a\0"] {
            assert_eq!(inside(b"/d".to_vec(), name).unwrap_err().code(), Some("invalid_path"), "{name:?}");
        }
    }
}
