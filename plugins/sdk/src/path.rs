//! Path arguments: text, or any bytes through the `_b64` twin. Contract: file_ops §1.4 step 1, §1.6.

use std::borrow::Cow;

use crate::{Member, Problem, base64};

/// A path as the caller gave it: bytes, absolute or relative, not empty, not judged yet.
pub type Path<'a> = Cow<'a, [u8]>;

/// Suffix of a parameter's twin.
pub const TWIN: &str = "_b64";

/// A path from two texts that may be there. None: neither is, or the one that is is empty.
///
/// `name` is the parameter's, for messages.
///
/// # Errors
///
/// `ValueError` if both are there or the twin is no base64.
pub fn from_texts<'a>(name: &str, text: Option<Cow<'a, str>>, twin: Option<&str>) -> Result<Option<Path<'a>>, Problem> {
    let path = match (text, twin) {
        (Some(_), Some(_)) => {
            return Err(Problem::value_error([name, " and ", name, "_b64 exclude each other"].concat()));
        }
        (None, None) => None,
        (Some(Cow::Borrowed(text)), None) => Some(Cow::Borrowed(text.as_bytes())),
        (Some(Cow::Owned(text)), None) => Some(Cow::Owned(text.into_bytes())),
        (None, Some(twin)) => Some(Cow::Owned(base64::decode(twin).ok_or_else(|| no_base64(name))?)),
    };
    Ok(path.filter(|path| !path.is_empty()))
}

/// A path from the members `name` and `name_b64` of a JSON object. None: neither is there; `null` and `""` are as good as
/// not there.
///
/// # Errors
///
/// `invalid_path` if the path is no text; `ValueError` if both are there or the twin is no base64 text.
pub fn from_members<'a>(
    name: &str,
    text: Option<Member<'a>>,
    twin: Option<Member<'a>>,
) -> Result<Option<Path<'a>>, Problem> {
    let given = |member: &Member<'_>| !member.is_null() && member.raw() != r#""""#;
    let twin = match twin.filter(given) {
        Some(member) => Some(member.text().ok_or_else(|| no_base64(name))?),
        None => None,
    };
    let text = match text.filter(given) {
        Some(member) => Some(member.text().ok_or_else(|| Problem::invalid_path([name, " must be text"].concat()))?),
        None => None,
    };
    from_texts(name, text, twin.as_deref())
}

/// The path, which must be there.
///
/// # Errors
///
/// `invalid_path` if it is not.
pub fn required<'a>(name: &str, path: Option<Path<'a>>) -> Result<Path<'a>, Problem> {
    path.ok_or_else(|| Problem::invalid_path([name, " is required"].concat()))
}

fn no_base64(name: &str) -> Problem {
    Problem::value_error([name, "_b64 must be base64"].concat())
}

#[cfg(test)]
mod tests {
    use super::{from_members, required};
    use crate::{Problem, members};

    /// The path of a body, or status and code of the refusal.
    fn read(body: &str) -> Result<Vec<u8>, (u16, Option<String>)> {
        let read = || {
            let [path, twin] = members(body.as_bytes(), ["path", "path_b64"])?;
            Ok(required("path", from_members("path", path, twin)?)?.into_owned())
        };
        read().map_err(|problem: Problem| problem.fault().map(|fault| (fault.status, fault.code.clone())).unwrap())
    }

    #[test]
    fn a_path_or_its_twin_is_taken() {
        assert_eq!(read(r#"{"path":"/a b"}"#).unwrap(), b"/a b");
        assert_eq!(read(r#"{"path":"/\u00e9"}"#).unwrap(), "/é".as_bytes());
        assert_eq!(read(r#"{"path_b64":"L2H/"}"#).unwrap(), b"/a\xff");
        assert_eq!(read(r#"{"path":null,"path_b64":"L2E="}"#).unwrap(), b"/a");
        assert_eq!(read(r#"{"path":"","path_b64":"L2E="}"#).unwrap(), b"/a");
    }

    #[test]
    fn a_path_that_is_missing_empty_or_no_text_is_invalid() {
        for body in [
            "{}",
            r#"{"path":null}"#,
            r#"{"path":""}"#,
            r#"{"path":5}"#,
            r#"{"path":["a"]}"#,
            r#"{"path":{}}"#,
            r#"{"path":true}"#,
            r#"{"path":"a\ud800"}"#,
            r#"{"path_b64":""}"#,
            r#"{"path_b64":null}"#,
        ] {
            assert_eq!(read(body), Err((400, Some("invalid_path".to_owned()))), "{body}");
        }
    }

    #[test]
    fn a_bad_twin_or_both_together_is_a_plain_value_error() {
        for body in [
            r#"{"path_b64":"!"}"#,
            r#"{"path_b64":"L2E"}"#,
            r#"{"path_b64":5}"#,
            r#"{"path_b64":["L2E="]}"#,
            r#"{"path_b64":"\ud800"}"#,
            r#"{"path":"/a","path_b64":"L2E="}"#,
        ] {
            assert_eq!(read(body), Err((400, None)), "{body}");
        }
    }
}
