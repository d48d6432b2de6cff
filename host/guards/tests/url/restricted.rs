//! The second table of the URL guard (`contract: guards §5`): parameters set.

use crate::stage::{DENIED, INVALID, PASSES, expect, free, guard, public_only};
use abxd_guards::url::{Scheme, UrlDenial};

#[test]
fn the_deny_list_matches_the_text() {
    let guard = guard(None, &["*://169.254.*"], false);
    expect(&guard, &["http://169.254.169.254/x", "ftp://x", "file:///etc/passwd", "x", "http://", "http:x"], DENIED);
    expect(&guard, &["http://10.0.0.1/"], DENIED);
    expect(&guard, &["https://example.com/"], PASSES);
    expect(&guard, &["http://example.com:0/", "http://example.com/ "], INVALID);
}

#[test]
fn stage_a_comes_before_what_stage_b_finds_invalid() {
    let guard = guard(None, &["*secret*"], false);
    expect(
        &guard,
        &["http://example.com:0/secret", "http://example.com/secret x", " http://example.com/secret"],
        DENIED,
    );
    expect(&guard, &["http://example.com:0/", " http://example.com/"], INVALID);
}

#[test]
fn the_allow_list_matches_the_text() {
    let guard = guard(Some(&["https://example.com/*"]), &[], false);
    expect(
        &guard,
        &["https://evil.test/", "https://example.com", "HTTPS://example.com/", "http://example.com/"],
        DENIED,
    );
    expect(&guard, &["https://example.com/", "https://example.com/a/b?c"], PASSES);
}

#[test]
fn deny_beats_allow() {
    let guard = guard(Some(&["https://ok.example/*"]), &["*/admin*"], false);
    expect(&guard, &["https://ok.example/admin"], DENIED);
    expect(&guard, &["https://ok.example/x"], PASSES);
}

#[test]
fn an_empty_allow_list_restricts_nothing() {
    expect(&guard(Some(&[]), &[], false), &["https://example.com"], PASSES);
    expect(&guard(Some(&[]), &[], false), &["ftp://x"], INVALID);
}

#[test]
fn what_cannot_be_read_is_invalid_whatever_is_set() {
    for guard in [guard(Some(&["*"]), &[], false), guard(None, &["*"], false), public_only()] {
        expect(&guard, &["http://[::1", "http://[::1]x", "http://1.2.3.4.5/"], INVALID);
    }
}

#[test]
fn no_allow_list_opens_what_is_always_denied() {
    let guard = guard(Some(&["*"]), &[], false);
    expect(&guard, &["http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/"], DENIED);
    expect(&free(), &["http://127.0.0.1/"], DENIED);
}

#[test]
fn private_networks_are_blocked_by_address() {
    let urls = [
        "http://127.1/",
        "http://2130706433/",
        "http://224.0.0.1/",
        "http://100.64.0.1/",
        "http://100.64.0.1../",
        "http://[ff02::1]/",
        "http://[fec0::1]/",
        "http://[::ffff:100.64.0.1]/",
        "http://[64:ff9b::224.0.0.1]/",
    ];
    expect(&public_only(), &urls, DENIED);
    expect(&public_only(), &["http://8.8.8.8/", "http://[2606::1]/", "http://[64:ff9b::8.8.8.8]/"], PASSES);
    expect(&public_only(), &["ftp://x"], DENIED);
}

#[test]
fn private_networks_are_blocked_by_name() {
    let urls = [
        "http://private.test/",
        "http://PRIVATE.test/",
        "http://mixed.test/",
        "http://shared.test/",
        "http://localhost",
    ];
    expect(&public_only(), &urls, DENIED);
    expect(&public_only(), &["http://public.test/", "http://unknown.test/", "http://empty.test/"], PASSES);
    expect(&free(), &["http://private.test/"], PASSES);
}

#[test]
fn what_pages_ask_for_is_judged_by_address_alone() {
    let guard = guard(Some(&["https://example.com/*"]), &["*"], true);
    for url in ["https://cdn.test/x.js", "ws://chat.test/", "WSS://chat.test", "http://public.test/"] {
        assert!(guard.check_request(url).is_ok(), "{url}");
    }
    for (url, denial) in [
        ("ws://127.0.0.1/", UrlDenial::Address),
        ("wss://localhost/", UrlDenial::Address),
        ("wss://a.localhost/", UrlDenial::Local),
        ("http://private.test/", UrlDenial::Address),
        ("ws://100.64.0.1/", UrlDenial::Address),
        ("ftp://x/", UrlDenial::Scheme),
        ("file:///etc/passwd", UrlDenial::Scheme),
        ("ws://:80/", UrlDenial::NoHost),
        ("ws://x:0/", UrlDenial::Port),
    ] {
        assert_eq!(guard.check_request(url).unwrap_err(), denial, "{url}");
    }
    let socket = free().check_request("wss://chat.test").unwrap();
    assert_eq!((socket.scheme(), socket.port()), (Scheme::Wss, 443));
    assert!(free().check_request("http://100.64.0.1/").is_ok());
}
