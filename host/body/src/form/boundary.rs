//! The boundary that a `Content-Type` names.

use std::ops::RangeInclusive;

use crate::form::parameters::{is_blank, parameters};

/// Characters that a boundary may have (RFC 2046 §5.1.1).
const LENGTH: RangeInclusive<usize> = 1..=70;

/// The boundary of a `multipart/form-data` content type. None: it is another type, or names no boundary that can be
/// used.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let (kind, rest) = content_type.split_once(';')?;
    if !kind.trim_matches(is_blank).eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let (_, boundary) = parameters(rest)?.into_iter().find(|(key, _)| key.eq_ignore_ascii_case("boundary"))?;
    LENGTH.contains(&boundary.len()).then_some(boundary)
}

#[cfg(test)]
mod tests {
    use super::boundary;

    #[test]
    fn content_type_is_read_as_clients_send_it() {
        let long = "b".repeat(70);
        for (content_type, expected) in [
            ("multipart/form-data; boundary=B", "B"),
            (" Multipart/Form-Data;BOUNDARY=Ab ", "Ab"),
            ("multipart/form-data; charset=utf-8; boundary=B", "B"),
            ("multipart/form-data; boundary=B; charset=utf-8", "B"),
            ("multipart/form-data; boundary=B;", "B"),
            (r#"multipart/form-data; boundary="a b:c/d?e=f""#, "a b:c/d?e=f"),
            ("multipart/form-data; boundary=----WebKitFormBoundaryAbC123", "----WebKitFormBoundaryAbC123"),
            ("multipart/form-data; boundary='()+_,-.'", "'()+_,-.'"),
            ("multipart/form-data; boundary=a:b/c=d?e", "a:b/c=d?e"),
            (&format!("multipart/form-data; boundary={long}"), &long),
        ] {
            assert_eq!(boundary(content_type).as_deref(), Some(expected), "{content_type}");
        }
    }

    #[test]
    fn boundary_is_required() {
        for content_type in [
            "",
            "multipart/form-data",
            "multipart/form-data;",
            "multipart/form-data; boundary",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"\"",
            "multipart/form-data; boundary=\"B",
            "multipart/mixed; boundary=B",
            "text/plain; boundary=B",
            &format!("multipart/form-data; boundary={}", "b".repeat(71)),
        ] {
            assert_eq!(boundary(content_type), None, "{content_type}");
        }
    }
}
