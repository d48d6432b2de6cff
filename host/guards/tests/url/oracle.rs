//! The guard against the `url` crate's reading of whole URLs, and against the tables read by a slow matcher.

use std::net::IpAddr;

use crate::stage::{free, public_only};
use abxd_guards::url::{UrlDenial, UrlHost};
use proptest::prelude::*;
use proptest::sample::select;
use url::{Host, Url};

const DENIED_V4: &str = "0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/29 192.0.0.170/31 \
    192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 100.100.100.200/32";
const DENIED_V6: &str = "::/128 ::1/128 100::/64 2001::/23 2001:db8::/32 fc00::/7 fe80::/10";

/// The address bit by bit.
fn bits(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => format!("{:032b}", address.to_bits()),
        IpAddr::V6(address) => format!("{:0128b}", address.to_bits()),
    }
}

fn lies_in(address: IpAddr, networks: &str) -> bool {
    networks.split_whitespace().any(|network| {
        let (start, length) = network.split_once('/').unwrap();
        let start = bits(start.parse().unwrap());
        bits(address).chars().zip(start.chars()).take(length.parse().unwrap()).all(|(ours, theirs)| ours == theirs)
    })
}

fn is_denied(address: IpAddr) -> bool {
    let bits = bits(address);
    let inner = match address {
        IpAddr::V4(_) => Some(bits.as_str()),
        IpAddr::V6(_) if lies_in(address, "::/96 ::ffff:0:0/96 64:ff9b::/96") => bits.get(96..),
        IpAddr::V6(_) if lies_in(address, "2002::/16") => bits.get(16..48),
        IpAddr::V6(_) => None,
    };
    match inner {
        Some(bits) => lies_in(IpAddr::V4(u32::from_str_radix(bits, 2).unwrap().into()), DENIED_V4),
        None => lies_in(address, DENIED_V6),
    }
}

/// The host of the crate in our terms.
fn read(host: &Host<&str>) -> UrlHost {
    match host {
        Host::Domain(name) => UrlHost::Name((*name).to_owned()),
        Host::Ipv4(address) => UrlHost::Address((*address).into()),
        Host::Ipv6(address) => UrlHost::Address((*address).into()),
    }
}

/// Pieces of hosts, from which addresses, names and nonsense are put together.
fn host() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "127",
        "0",
        "1",
        "10",
        "0x7f",
        "0177",
        "8",
        "2130706433",
        "192",
        "168",
        "255",
        "256",
        ".",
        ".",
        ".",
        "..",
        "。",
        "．",
        "①②⑦",
        "１",
        "%31",
        "%2e",
        "%25",
        "%",
        "a",
        "localhost",
        "LOCALHOST",
        "example",
        "xn--",
        "é",
        "\u{ad}",
        "[",
        "]",
        "::",
        ":",
        "::1",
        "ffff:",
        "fe80",
        "fc00",
        "%eth0",
        "-",
        "_",
        "<",
        "|",
    ]);
    let v4 = any::<std::net::Ipv4Addr>().prop_map(|address| address.to_string());
    let v6 = any::<std::net::Ipv6Addr>().prop_map(|address| format!("[{address}]"));
    let denied =
        select(vec!["[::1]", "[::ffff:10.0.0.1]", "[64:ff9b::1.1.1.1]", "[2002:7f00:1::]", "10.0.0.1", "[fe80::1]"]);
    prop_oneof![
        4 => proptest::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat()),
        1 => v4,
        1 => v6,
        1 => denied.prop_map(str::to_owned),
    ]
}

fn url() -> impl Strategy<Value = String> {
    let scheme = select(vec![
        "http://",
        "https://",
        "HTTP://",
        "http:/",
        "http:\\\\",
        "http:",
        "http:///",
        "ws://",
        "ftp://",
        "//",
        "",
    ]);
    let user = select(vec!["", "", "", "u@", "u:p@", "@", "a@b@", "[::1]@", "8.8.8.8\\@", "x?@", "%40"]);
    let port = select(vec!["", "", "", ":", ":80", ":443", ":0", ":65535", ":65536", ":x", ":８０"]);
    let rest = select(vec!["", "/", "/x", "?q", "#f", "\\x", "/@127.0.0.1", "/ ", "\t", "/\u{7f}"]);
    (scheme, user, host(), port, rest)
        .prop_map(|(scheme, user, host, port, rest)| [scheme, user, &host, port, rest].concat())
}

/// Whether nothing but the reading of the host can make the guard refuse the text.
fn is_plain(text: &str) -> bool {
    let has_authority = text.split_once(':').is_some_and(|(_, rest)| {
        let mut letters = rest.chars();
        let slashes = [letters.next(), letters.next()].iter().all(|letter| matches!(letter, Some('/' | '\\')));
        slashes && !matches!(letters.next(), Some('/' | '\\' | '?' | '#') | None)
    });
    has_authority && text.chars().all(|letter| letter > ' ' && letter != '\u{7f}')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn what_is_judged_is_what_a_browser_reads(text in url()) {
        let judged = free().check(&text);
        let parsed = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        match (&judged, &parsed) {
            (Ok(checked), Some(url)) => {
                prop_assert_eq!(checked.host(), &read(&url.host().unwrap()));
                prop_assert_eq!(Some(checked.port()), url.port_or_known_default());
            }
            // Only zone ids are read here and not there.
            (Ok(_), None) => prop_assert!(text.contains("[") && text.contains('%')),
            (Err(denial), Some(url)) => {
                let local = url.domain().map(|name| name.trim_end_matches('.'));
                let is_denied = match url.host().unwrap() {
                    Host::Domain(_) => local == Some("localhost") || local.unwrap().ends_with(".localhost"),
                    Host::Ipv4(address) => is_denied(address.into()),
                    Host::Ipv6(address) => is_denied(address.into()),
                };
                let is_dotted = url.domain().is_some_and(|name| name.ends_with('.'));
                prop_assert!(
                    is_denied || is_dotted || !is_plain(&text) || url.port() == Some(0),
                    "{} should have passed: {:?}", text, denial
                );
                if is_denied && is_plain(&text) && url.port() != Some(0) {
                    prop_assert_eq!(denial.code(), "url_denied");
                }
            }
            (Err(_), None) => {}
        }
        if let Some(UrlHost::Address(address)) = judged.as_ref().ok().map(|checked| checked.host()) {
            prop_assert!(!is_denied(*address));
        }
    }

}

proptest! {
    #[test]
    fn any_text_is_judged(text in any::<String>(), tail in any::<String>(), host in ".{0,12}") {
        for text in [text.clone(), format!("http://{text}"), format!("http://{host}/{tail}"), format!("https://[{host}]:{tail}")] {
            for guard in [free(), public_only()] {
                if let Ok(checked) = guard.check(&text) {
                    prop_assert_eq!(checked.as_str(), text.as_str());
                }
                let _ = guard.check_request(&text);
            }
        }
    }

    #[test]
    fn addresses_are_judged_as_a_slow_matcher_does(v4 in any::<u32>(), v6 in any::<u128>(), shift in 0_u32..128) {
        let rule = free().check("http://example.com").unwrap().addresses();
        // Few bits set, so that short prefixes are met.
        for address in [IpAddr::V4(v4.into()), IpAddr::V6(v6.into()), IpAddr::V6((v6 >> shift).into())] {
            let expected = if is_denied(address) { Err(UrlDenial::Address) } else { Ok(()) };
            prop_assert_eq!(rule.judge(address), expected, "{}", address);
        }
    }
}
