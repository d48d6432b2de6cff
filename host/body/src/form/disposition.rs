//! The `Content-Disposition` of a part. The multipart library's own reading finds names inside of quoted values and
//! misses those in capitals.

use crate::form::parameters::{is_blank, parameters};

/// What a part says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disposition {
    pub(super) name: String,
    pub(super) filename: Option<String>,
}

impl Disposition {
    /// Read a header value. None: it is not `form-data` with a name, or can't be read. The first of a parameter that
    /// repeats counts; `filename*` and unknown ones are passed over (RFC 7578 §4.2).
    pub(super) fn parse(value: &[u8]) -> Option<Self> {
        let (kind, rest) = std::str::from_utf8(value).ok()?.split_once(';')?;
        if !kind.trim_matches(is_blank).eq_ignore_ascii_case("form-data") {
            return None;
        }
        let (mut name, mut filename) = (None, None);
        for (key, value) in parameters(rest)? {
            if key.eq_ignore_ascii_case("name") {
                name.get_or_insert(value);
            } else if key.eq_ignore_ascii_case("filename") {
                filename.get_or_insert(value);
            }
        }
        Some(Self { name: name?, filename })
    }
}

#[cfg(test)]
mod tests {
    use super::Disposition;

    fn parse(value: &str) -> Option<(String, Option<String>)> {
        Disposition::parse(value.as_bytes()).map(|it| (it.name, it.filename))
    }

    #[test]
    fn names_are_read_as_tokens_or_quoted() {
        let rows = [
            (r#"form-data; name="file""#, "file", None),
            (r#"form-data; name=file"#, "file", None),
            (r#"form-data;name=file;filename=a.txt"#, "file", Some("a.txt")),
            (r#"Form-Data ; NAME = "file" ; FileName = "a b.txt" "#, "file", Some("a b.txt")),
            (r#"form-data; filename="a.txt"; name="file""#, "file", Some("a.txt")),
            (r#"form-data; name="file"; filename="""#, "file", Some("")),
            (r#"form-data; name="file"; filename="#, "file", Some("")),
            (r#"form-data; name="""#, "", None),
            (r#"form-data; name="file"; filename*=UTF-8''b.txt"#, "file", None),
            (r#"form-data; name="file"; filename*=UTF-8''b.txt; filename="a.txt""#, "file", Some("a.txt")),
            (r#"form-data; name="a;b"; filename="x=\"y\".txt""#, "a;b", Some(r#"x="y".txt"#)),
            (r#"form-data; name="f"; filename="C:\dir\a.txt""#, "f", Some(r"C:\dir\a.txt")),
            (r#"form-data; name="f"; filename="a\\""#, "f", Some(r"a\")),
            (r#"form-data; other="; name=evil"; name="good""#, "good", None),
            (r#"form-data; name="first"; name="second""#, "first", None),
            (r#"form-data; name="ü"; filename="🤣.txt""#, "ü", Some("🤣.txt")),
            (r#"form-data; name="f"; filename="a%22b.txt""#, "f", Some("a%22b.txt")),
            (r#"form-data; name="f";"#, "f", None),
        ];
        for (value, name, filename) in rows {
            assert_eq!(parse(value), Some((name.to_owned(), filename.map(str::to_owned))), "{value}");
        }
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for value in [
            "form-data",
            "form-data;",
            r#"form-data; filename="a.txt""#,
            r#"attachment; name="file""#,
            r#"name="file""#,
            r#"form-data; name="file"#,
            r#"form-data; name="file" x"#,
            r#"form-data; name"#,
            r#"form-data; ; name="file""#,
        ] {
            assert_eq!(parse(value), None, "{value}");
        }
        assert_eq!(Disposition::parse(b"form-data; name=\"\xff\""), None);
    }
}
