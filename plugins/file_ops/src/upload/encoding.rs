//! Codings of a body. Contract: file_ops §12.2 step 2.

use abx_sdk::{Fault, Problem};

/// Refuse a body that is coded: it is stored as it comes. `lines` are those of `Content-Encoding`.
///
/// # Errors
///
/// `unsupported_encoding` for anything but `identity`.
pub(super) fn check<'a>(lines: impl Iterator<Item = &'a str>) -> Result<(), Problem> {
    let mut codings = lines.flat_map(|line| line.split(',')).map(str::trim);
    if codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case("identity")) {
        return Ok(());
    }
    Err(Fault::new(400, "ValueError", "only the content encoding identity is accepted")
        .with_code("unsupported_encoding")
        .into())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_identity_is_accepted() {
        for lines in [&[][..], &["identity"], &["Identity "], &[""], &["identity, identity"], &["identity", ""]] {
            assert!(check(lines.iter().copied()).is_ok(), "{lines:?}");
        }
        for lines in [&["gzip"][..], &["identity, br"], &["identity", "deflate"], &["x"], &["identity;q=1"]] {
            let problem = check(lines.iter().copied()).unwrap_err();
            assert_eq!(
                (problem.fault().unwrap().status, problem.code()),
                (400, Some("unsupported_encoding")),
                "{lines:?}"
            );
        }
    }
}
