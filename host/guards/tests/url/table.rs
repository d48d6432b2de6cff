//! The first table of the URL guard (`contract: guards §5`): no parameter set.

use crate::stage::{DENIED, INVALID, PASSES, expect, free};
use abxd_guards::url::{Scheme, UrlHost};

#[test]
fn public_urls_pass() {
    let urls = [
        "https://example.com",
        "HTTP://EXAMPLE.COM",
        "http://example.com:8080/x?y#z",
        "http://example.com:/",
        "http://example.com:65535",
        "http://172.32.0.1",
        "http://192.0.0.9",
        "http://127.0.0.1@example.com/",
        "http://127.0.0.1.nip.io/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://user:p@example.com",
        "https://münchen.example/ü",
        "http://[2606:2800:220:1::1]/",
        "http://mylocalhost/",
        "http://localhost.example/",
    ];
    expect(&free(), &urls, PASSES);
}

#[test]
fn this_machine_is_denied_by_name() {
    let urls =
        ["http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://localhost../", "http://.localhost"];
    expect(&free(), &urls, DENIED);
}

#[test]
fn loopback_and_private_addresses_are_denied() {
    let urls = [
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://user:p@127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]:80/",
        "http://[fc00::1]/",
        "http://[::]/",
        "http://10.0.0.1/",
        "http://172.16.0.1",
        "http://192.168.1.1/",
        "http://169.254.169.254/",
        "http://0.0.0.0/",
        "http://240.0.0.1/",
        "http://198.18.0.1/",
        "http://100.100.100.200/",
        "http://[64:ff9b::7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
    ];
    expect(&free(), &urls, DENIED);
}

#[test]
fn what_is_no_web_url_is_invalid() {
    let urls = [
        "ftp://x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "//x",
        "x",
        "",
        "http:",
        "http://",
        "http:///x",
        "http:x",
        "http:/x",
        "http://:80/",
        "http://user@/",
        "http://user@:80/",
        "http://?x",
        "http://#x",
        "http://[::1",
        "http://[::1]x/",
        "http://[]/",
        "http://[%25eth0]/",
        "http://[::1%]/",
        "http://[::1%25]/",
        "http://[x]/",
        "http://1.2.3.4.5/",
        "http://256.0.0.1/",
        "http://a<b/",
        "http://./",
        "ws://example.com/",
    ];
    expect(&free(), &urls, INVALID);
}

#[test]
fn ports_are_numbers_from_1_to_65535() {
    for port in ["0", "00", "65536", "99999999999999999999", "abc", "8O", "-1", "+80", "８０", "80:80"] {
        expect(&free(), &[&format!("http://example.com:{port}/"), &format!("http://[2606::1]:{port}/")], INVALID);
    }
    for (port, expected) in [("", 80), (":", 80), (":1", 1), (":00080", 80), (":65535", 65535)] {
        assert_eq!(free().check(&format!("http://example.com{port}/")).unwrap().port(), expected, "{port}");
    }
    assert_eq!(free().check("https://example.com").unwrap().port(), 443);
}

#[test]
fn blanks_and_control_characters_are_invalid_anywhere() {
    for letter in ["\0", "\t", "\n", "\r", " ", "\u{1f}", "\u{7f}"] {
        for place in
            ["{}http://example.com/", "http://exa{}mple.com/", "http://example.com/{}x", "http://example.com/{}"]
        {
            expect(&free(), &[&place.replace("{}", letter)], INVALID);
        }
    }
    expect(&free(), &["http://example.com/\u{80}\u{a0}"], PASSES);
}

#[test]
fn a_checked_url_tells_what_was_judged() {
    let checked = free().check("HTTPS://u:p@EXAMPLE.com.:8443/x").unwrap();
    assert_eq!(checked.as_str(), "HTTPS://u:p@EXAMPLE.com.:8443/x");
    assert_eq!(checked.scheme(), Scheme::Https);
    assert_eq!(*checked.host(), UrlHost::Name("example.com.".to_owned()));
    assert_eq!(checked.port(), 8443);
    assert!(!checked.addresses().block_private_networks);
    let checked = free().check("http://0x08.8.2056/").unwrap();
    assert_eq!(*checked.host(), UrlHost::Address("8.8.8.8".parse().unwrap()));
}
