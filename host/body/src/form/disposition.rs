//! The `Content-Disposition` of a part. The multipart library's own reading finds names inside of quoted values and
//! misses those in capitals.

/// What a part says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disposition {
    pub(super) name: String,
    pub(super) filename: Option<String>,
}

impl Disposition {
    /// Read a header value. None: it is not `form-data` with a name, or can't be read. Values are tokens or quoted; the
    /// first of a parameter that repeats counts; `filename*` and unknown ones are passed over (RFC 7578 §4.2).
    pub(super) fn parse(value: &[u8]) -> Option<Self> {
        let value = std::str::from_utf8(value).ok()?;
        let (kind, mut rest) = value.split_once(';')?;
        if !kind.trim_matches(is_blank).eq_ignore_ascii_case("form-data") {
            return None;
        }
        let (mut name, mut filename) = (None, None);
        while !rest.trim_start_matches(is_blank).is_empty() {
            let (key, value, behind) = parameter(rest)?;
            rest = behind;
            if key.eq_ignore_ascii_case("name") {
                name.get_or_insert(value);
            } else if key.eq_ignore_ascii_case("filename") {
                filename.get_or_insert(value);
            }
        }
        Some(Self { name: name?, filename })
    }
}

/// One `key=value` and what stands behind its semicolon.
fn parameter(text: &str) -> Option<(&str, String, &str)> {
    let (key, text) = text.split_once('=')?;
    let text = text.trim_start_matches(is_blank);
    let (value, text) = match text.strip_prefix('"') {
        Some(text) => quoted(text)?,
        None => {
            let (value, _) = text.split_once(';').unwrap_or((text, ""));
            (value.trim_end_matches(is_blank).to_owned(), text.strip_prefix(value)?)
        }
    };
    let text = text.trim_start_matches(is_blank);
    if text.is_empty() {
        return Some((key.trim_matches(is_blank), value, ""));
    }
    Some((key.trim_matches(is_blank), value, text.strip_prefix(';')?))
}

/// The inside of a quoted value, and what stands behind its closing quote. Only `\"` and `\\` are escapes: browsers
/// send any other backslash for itself.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '"' => return Some((value, characters.as_str())),
            '\\' if characters.as_str().starts_with(['"', '\\']) => value.extend(characters.next()),
            character => value.push(character),
        }
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
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
