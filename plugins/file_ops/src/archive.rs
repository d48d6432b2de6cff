//! `files_archive`: files and trees as one tar.gz or zip, base64 in a JSON answer. Contract: file_ops §10.

use abx_sdk::files::{self, ArchiveFormat, ArchiveOptions};
use abx_sdk::json::Bulky;
use abx_sdk::{Member, Problem, Request, Response, base64, rule};
use serde_json::Value;

/// Files, when the policy doesn't say how many.
const MAX_FILES: u64 = 10_000;
/// Bytes of the archive, when the policy doesn't say how many.
const MAX_BYTES: u64 = 100 << 20;

pub(crate) fn archive(request: &Request) -> Result<Response, Problem> {
    let [texts, twins, format] = request.members(["paths", "paths_b64", "format"])?;
    let paths = paths(texts, twins)?;
    let (format, name) = self::format(format)?;
    let options = ArchiveOptions {
        format,
        max_files: rule::limit("max_files").unwrap_or(MAX_FILES),
        max_bytes: rule::limit("max_bytes").unwrap_or(MAX_BYTES),
    };
    let packed = files::archive(&paths, options)?;
    let bytes = packed.size().unwrap_or(0);
    let mut answer = Bulky::new(64);
    answer.base64("content_base64", packed);
    answer.members(|answer| {
        answer.text("format", name);
        answer.integer("bytes", bytes);
    });
    Ok(Response::segments(answer.finish()))
}

/// The items of `paths`, then those of `paths_b64`. One that is no path is handed on as an empty one: the host judges the
/// items in order, so the first failure answers, whichever it is.
fn paths(texts: Option<Member<'_>>, twins: Option<Member<'_>>) -> Result<Vec<Vec<u8>>, Problem> {
    let mut paths = Vec::new();
    for item in items("paths", texts)? {
        paths.push(item.as_str().unwrap_or_default().as_bytes().to_vec());
    }
    for item in items("paths_b64", twins)? {
        let bytes = item.as_str().and_then(base64::decode);
        paths.push(bytes.ok_or_else(|| Problem::value_error("paths_b64 must be a list of base64"))?);
    }
    if paths.is_empty() {
        return Err(Problem::invalid_path("paths must be a list that is not empty"));
    }
    Ok(paths)
}

fn items(name: &str, member: Option<Member<'_>>) -> Result<Vec<Value>, Problem> {
    match member.filter(|member| !member.is_null()).map(Member::value).transpose()? {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(Problem::invalid_path([name, " must be a list"].concat())),
    }
}

fn format(member: Option<Member<'_>>) -> Result<(ArchiveFormat, &'static str), Problem> {
    match member.map(|member| member.text().unwrap_or_default()).as_deref() {
        None | Some("tar.gz") => Ok((ArchiveFormat::TarGz, "tar.gz")),
        Some("zip") => Ok((ArchiveFormat::Zip, "zip")),
        Some(_) => Err(Problem::value_error("format must be tar.gz or zip")),
    }
}

#[cfg(test)]
mod tests {
    use super::{format, paths};
    use abx_sdk::members;

    #[test]
    fn items_of_both_lists_are_paths_in_order() {
        let [texts, twins] = members(br#"{"paths":["/a",5,""],"paths_b64":["L2L/"]}"#, ["paths", "paths_b64"]).unwrap();
        assert_eq!(paths(texts, twins).unwrap(), [b"/a".to_vec(), vec![], vec![], b"/b\xff".to_vec()]);
    }

    #[test]
    fn no_list_of_paths_is_an_invalid_path() {
        for text in ["{}", r#"{"paths":[]}"#, r#"{"paths":"/a"}"#, r#"{"paths":null}"#, r#"{"paths":{}}"#] {
            let [texts] = members(text.as_bytes(), ["paths"]).unwrap();
            assert_eq!(paths(texts, None).unwrap_err().code(), Some("invalid_path"), "{text}");
        }
        let [twins] = members(br#"{"paths_b64":["*"]}"#, ["paths_b64"]).unwrap();
        assert_eq!(paths(None, twins).unwrap_err().code(), None);
    }

    #[test]
    fn a_format_is_one_of_two_words() {
        assert_eq!(format(None).unwrap().1, "tar.gz");
        for (text, name) in [
            (r#""tar.gz""#, Some("tar.gz")),
            (r#""zip""#, Some("zip")),
            (r#""ZIP""#, None),
            ("null", None),
            ("[]", None),
            (r#""""#, None),
        ] {
            let text = std::format!(r#"{{"f":{text}}}"#);
            let [member] = members(text.as_bytes(), ["f"]).unwrap();
            assert_eq!(format(member).ok().map(|found| found.1), name, "{text}");
        }
    }
}
