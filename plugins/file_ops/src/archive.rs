//! `files_archive`: files and trees as one tar.gz or zip, base64 in a JSON answer. Contract: file_ops §10.

use abx_sdk::files::{self, ArchiveFormat, ArchiveOptions};
use abx_sdk::json::Bulky;
use abx_sdk::{Member, Problem, Request, Response, base64, rule};

/// Files, when the policy doesn't say how many.
const MAX_FILES: u64 = 10_000;
/// Paths of one request, whatever the policy says: so many can be judged at a time.
const MAX_PATHS: usize = 100_000;
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
    let texts = items(texts).ok_or_else(|| Problem::invalid_path("paths must be a list"))?;
    let twins = items(twins).ok_or_else(no_base64)?;
    match texts.len() + twins.len() {
        0 => return Err(Problem::invalid_path("paths must be a list that is not empty")),
        1..=MAX_PATHS => {}
        _ => return Err(Problem::value_error("too many paths")),
    }
    let text = |item: Member<'_>| Ok(item.text().unwrap_or_default().into_owned().into_bytes());
    let twin = |item: Member<'_>| item.text().and_then(|text| base64::decode(&text)).ok_or_else(no_base64);
    texts.into_iter().map(text).chain(twins.into_iter().map(twin)).collect()
}

/// None: it is there and no list.
fn items(member: Option<Member<'_>>) -> Option<Vec<Member<'_>>> {
    member.filter(|member| !member.is_null()).map_or(Some(Vec::new()), Member::items)
}

fn no_base64() -> Problem {
    Problem::value_error("paths_b64 must be a list of base64")
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

    /// The paths of a body, or the code of the refusal.
    fn read(body: &str) -> Result<Vec<Vec<u8>>, Option<String>> {
        let [texts, twins] = members(body.as_bytes(), ["paths", "paths_b64"]).unwrap();
        paths(texts, twins).map_err(|problem| problem.code().map(str::to_owned))
    }

    #[test]
    fn items_of_both_lists_are_paths_in_order() {
        let both = read(r#"{"paths_b64":["L2L/",""],"paths":["/a","/\u00e9"]}"#);
        assert_eq!(both.unwrap(), [b"/a".to_vec(), "/é".into(), b"/b\xff".to_vec(), vec![]]);
        for text in [
            r#"{"paths_b64":["L2E="]}"#,
            r#"{"paths":null,"paths_b64":["L2E="]}"#,
            r#"{"paths":[],"paths_b64":["L2E="]}"#,
        ] {
            assert_eq!(read(text).unwrap(), [b"/a"], "{text}");
        }
    }

    #[test]
    fn what_is_no_path_is_judged_in_its_turn_as_an_empty_one() {
        let items = read(r#"{"paths":["/a",5,"",null,["/b"],"x\ud800","/c"]}"#).unwrap();
        let none = Vec::new();
        assert_eq!(items, [&b"/a".to_vec(), &none, &none, &none, &none, &none, &b"/c".to_vec()].map(Clone::clone));
    }

    #[test]
    fn no_list_of_paths_is_an_invalid_path() {
        for text in [
            "{}",
            r#"{"paths":[]}"#,
            r#"{"paths":"/a"}"#,
            r#"{"paths":""}"#,
            r#"{"paths":null}"#,
            r#"{"paths":{}}"#,
            r#"{"paths":5,"paths_b64":["L2E="]}"#,
            r#"{"paths_b64":[]}"#,
        ] {
            assert_eq!(read(text), Err(Some("invalid_path".to_owned())), "{text}");
        }
    }

    #[test]
    fn a_bad_twin_is_a_plain_value_error() {
        for twins in [r#"["*"]"#, r#"["L2E"]"#, r#"["L2E=",5]"#, r#"[["L2E="]]"#, r#""L2E=""#, "5"] {
            assert_eq!(read(&std::format!(r#"{{"paths":["/a"],"paths_b64":{twins}}}"#)), Err(None), "{twins}");
        }
    }

    #[test]
    fn too_many_paths_are_refused() {
        let list = |length: usize| std::format!(r#"{{"paths":[{}"/a"]}}"#, r#""/a","#.repeat(length - 1));
        assert_eq!(read(&list(100_000)).unwrap().len(), 100_000);
        assert_eq!(read(&list(100_001)), Err(None));
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
