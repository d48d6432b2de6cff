//! Web pages that reach for an open server (decision D13).

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};

/// Whether a browser says that the request comes from a page of another host. Asked only while no identity is
/// configured: with tokens, the token is the answer.
pub(super) fn is_foreign(headers: &HeaderMap) -> bool {
    let cross_site =
        headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes().eq_ignore_ascii_case(b"cross-site"));
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let own = |origin: &http::HeaderValue| {
        let authority = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        let authority = authority.as_ref().and_then(Uri::authority).map(http::uri::Authority::as_str);
        authority.is_some_and(|authority| host.is_some_and(|host| authority.eq_ignore_ascii_case(host)))
    };
    cross_site || !headers.get_all(ORIGIN).iter().all(own)
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::is_foreign;

    fn foreign(pairs: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        is_foreign(&headers)
    }

    #[test]
    fn programs_and_own_pages_pass() {
        assert!(!foreign(&[("host", "box:9000")]));
        assert!(!foreign(&[("host", "box:9000"), ("origin", "http://box:9000"), ("sec-fetch-site", "same-origin")]));
        assert!(!foreign(&[("host", "BOX:9000"), ("origin", "http://box:9000")]));
    }

    #[test]
    fn pages_of_other_hosts_do_not() {
        assert!(foreign(&[("host", "box:9000"), ("origin", "http://evil.test")]));
        assert!(foreign(&[("host", "box:9000"), ("origin", "http://box:9001")]));
        assert!(foreign(&[("host", "box:9000"), ("origin", "null")]));
        assert!(foreign(&[("host", "box:9000"), ("sec-fetch-site", "cross-site")]));
        assert!(foreign(&[("origin", "http://box:9000")]));
    }
}
