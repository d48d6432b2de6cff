//! Every spelling in which a browser reads an address (`contract: guards §5`).

use crate::stage::{DENIED, INVALID, PASSES, expect, free};

#[test]
fn short_octal_and_hexadecimal_forms() {
    let hosts = [
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0X7F000001",
        "0177.0.0.1",
        "017700000001",
        "0x7f.1",
        "0x7f.0x0.0x0.0x1",
        "00000177.0.0.01",
        "0x7f.0.1",
        "127.0.0.0x1",
        "0xa9.254.43518",
        "0",
        "0x",
        "0x0",
        "10.1",
        "3232235777",
    ];
    for host in hosts {
        expect(
            &free(),
            &[&format!("http://{host}/"), &format!("http://{host}./"), &format!("http://{host}../")],
            DENIED,
        );
    }
}

#[test]
fn the_same_forms_of_public_addresses() {
    expect(&free(), &["http://134744072/", "http://0x8.8.8.8/", "http://010.8.2056/"], PASSES);
}

#[test]
fn what_looks_like_an_address_and_is_none() {
    let urls =
        ["http://127.0.0.08/", "http://0x1ffffffff/", "http://1.2.3/4", "http://127.0.0.1.2/", "http://4294967296/"];
    for url in urls {
        let expected = if url.ends_with("/4") { PASSES } else { INVALID };
        expect(&free(), &[url], expected);
    }
    expect(&free(), &["http://127.0.0.1.example/", "http://1e7.example/", "http://0x7g/"], PASSES);
}

#[test]
fn compatibility_digits_and_full_stops() {
    let hosts = [
        "127。0。0。1",
        "127．0．0．1",
        "127｡0｡0｡1",
        "①②⑦.0.0.1",
        "１２７.０.０.１",
        "𝟏𝟐𝟕.0.0.1",
        "０ｘ７ｆ.1",
        "²¹³⁰⁷⁰⁶⁴³³",
        "127.0.0.\u{ad}1",
        "ｌｏｃａｌｈｏｓｔ",
        "LoCaLhOsT",
        "ⓛocalhost",
        "local\u{ad}host",
        "a。localhost",
        "ⅼocalhost",
    ];
    for host in hosts {
        expect(&free(), &[&format!("http://{host}/"), &format!("http://user@{host}:80")], DENIED);
    }
}

#[test]
fn percent_escapes() {
    let hosts =
        ["%31%32%37.0.0.1", "127%2E0%2e0%2E1", "%6c%6F%63alhost", "%EF%BC%91%EF%BC%92%EF%BC%97.1", "127%E3%80%820.0.1"];
    for host in hosts {
        expect(&free(), &[&format!("http://{host}/")], DENIED);
    }
    let hosts =
        ["%2531%2532%2537.0.0.1", "a%00b", "a%2Fb", "a%20b", "%", "%ff", "%5B::1%5D", "a%40b", "127.0.0.1%3A80"];
    for host in hosts {
        expect(&free(), &[&format!("http://{host}/")], INVALID);
    }
}

#[test]
fn a_backslash_is_a_slash() {
    let urls = [
        "http://127.0.0.1\\@example.com/",
        "http:\\\\127.0.0.1/",
        "http:/\\127.0.0.1",
        "http://localhost\\.example.com",
    ];
    expect(&free(), &urls, DENIED);
    expect(&free(), &["http://example.com\\@127.0.0.1/"], PASSES);
}

#[test]
fn user_names_hide_nothing() {
    let urls = [
        "http://example.com@127.0.0.1/",
        "http://example.com:80@127.0.0.1/",
        "http://a@b@127.0.0.1/",
        "http://@127.0.0.1/",
        "http://[2606::1]@127.0.0.1/",
        "http://u:p@[::1]:80/",
        "http://example.com%40@127.0.0.1/",
    ];
    expect(&free(), &urls, DENIED);
    let urls = ["http://example.com/@127.0.0.1/", "http://example.com?@127.0.0.1/", "http://example.com#@127.0.0.1/"];
    expect(&free(), &urls, PASSES);
}

#[test]
fn ipv6_in_every_form() {
    let hosts = [
        "[0:0:0:0:0:0:0:1]",
        "[::0.0.0.1]",
        "[0::1]",
        "[::FFFF:127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:0001]",
        "[FE80::1]",
        "[febf::1]",
        "[fdff::1%25a%25b]",
        "[2001:db8::1]",
        "[2001::1]",
        "[100::1]",
    ];
    for host in hosts {
        expect(&free(), &[&format!("http://{host}/"), &format!("http://{host}:8080")], DENIED);
    }
    expect(
        &free(),
        &["http://[::1%25eth0", "http://[::1]]/", "http://[[::1]]/", "http://::1/", "http://[::127.1]/"],
        INVALID,
    );
}
