//! Borders of every network in the tables (`contract: guards §5`).

use std::net::IpAddr;

use abxd_guards::url::{AddressRule, UrlDenial};

const ALWAYS: AddressRule = AddressRule { block_private_networks: false };
const PRIVATE_TOO: AddressRule = AddressRule { block_private_networks: true };

#[track_caller]
fn expect(rule: AddressRule, addresses: &[&str], passes: bool) {
    for text in addresses {
        let address: IpAddr = text.parse().unwrap();
        let expected = if passes { Ok(()) } else { Err(UrlDenial::Address) };
        assert_eq!(rule.judge(address), expected, "{text}");
    }
}

/// First and last address of each network, and their neighbours outside.
const V4: [(&str, &str, Option<&str>, Option<&str>); 14] = [
    ("0.0.0.0", "0.255.255.255", None, Some("1.0.0.0")),
    ("10.0.0.0", "10.255.255.255", Some("9.255.255.255"), Some("11.0.0.0")),
    ("127.0.0.0", "127.255.255.255", Some("126.255.255.255"), Some("128.0.0.0")),
    ("169.254.0.0", "169.254.255.255", Some("169.253.255.255"), Some("169.255.0.0")),
    ("172.16.0.0", "172.31.255.255", Some("172.15.255.255"), Some("172.32.0.0")),
    ("192.0.0.0", "192.0.0.7", Some("191.255.255.255"), Some("192.0.0.8")),
    ("192.0.0.170", "192.0.0.171", Some("192.0.0.169"), Some("192.0.0.172")),
    ("192.0.2.0", "192.0.2.255", Some("192.0.1.255"), Some("192.0.3.0")),
    ("192.168.0.0", "192.168.255.255", Some("192.167.255.255"), Some("192.169.0.0")),
    ("198.18.0.0", "198.19.255.255", Some("198.17.255.255"), Some("198.20.0.0")),
    ("198.51.100.0", "198.51.100.255", Some("198.51.99.255"), Some("198.51.101.0")),
    ("203.0.113.0", "203.0.113.255", Some("203.0.112.255"), Some("203.0.114.0")),
    ("240.0.0.0", "255.255.255.255", None, None),
    ("100.100.100.200", "100.100.100.200", None, None),
];

#[test]
fn ipv4_networks_end_where_they_end() {
    for (first, last, below, above) in V4 {
        expect(ALWAYS, &[first, last], false);
        expect(PRIVATE_TOO, &[first, last], false);
        for outside in below.into_iter().chain(above) {
            expect(ALWAYS, &[outside], true);
            expect(PRIVATE_TOO, &[outside], true);
        }
    }
    let shared =
        ["100.64.0.0", "100.127.255.255", "224.0.0.0", "239.255.255.255", "100.100.100.199", "100.100.100.201"];
    expect(ALWAYS, &shared, true);
    expect(PRIVATE_TOO, &shared, false);
    expect(PRIVATE_TOO, &["100.63.255.255", "100.128.0.0", "223.255.255.255"], true);
}

#[test]
fn every_carrier_is_judged_as_what_it_carries() {
    let carriers = |address: &str| {
        let [a, b, c, d] = address.parse::<std::net::Ipv4Addr>().unwrap().octets();
        [
            format!("::ffff:{address}"),
            format!("::{address}"),
            format!("64:ff9b::{address}"),
            format!("2002:{a:x}{b:02x}:{c:x}{d:02x}::"),
            format!("2002:{a:x}{b:02x}:{c:x}{d:02x}:1:2:3:4:5"),
        ]
    };
    for (first, last, below, above) in V4 {
        for (address, passes) in [(Some(first), false), (Some(last), false), (below, true), (above, true)] {
            for carrier in address.into_iter().flat_map(carriers) {
                expect(ALWAYS, &[&carrier], passes);
                expect(PRIVATE_TOO, &[&carrier], passes);
            }
        }
    }
    for carrier in ["100.64.0.1", "224.0.0.1"].into_iter().flat_map(carriers) {
        expect(ALWAYS, &[&carrier], true);
        expect(PRIVATE_TOO, &[&carrier], false);
    }
}

#[test]
fn ipv6_networks_end_where_they_end() {
    let inside = [
        "::",
        "::1",
        "100::",
        "100::ffff:ffff:ffff:ffff",
        "2001::",
        "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8::",
        "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "fc00::",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "fe80::",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ];
    expect(ALWAYS, &inside, false);
    expect(PRIVATE_TOO, &inside, false);
    let global = ["2001:200::", "2001:db7:ffff::", "2001:db9::", "2000::", "3fff:ffff::", "2606:4700::1111"];
    expect(ALWAYS, &global, true);
    expect(PRIVATE_TOO, &global, true);
    let reserved = [
        "ff00::",
        "ff02::1",
        "ffff:ffff::",
        "fec0::",
        "fe7f:ffff::",
        "fbff:ffff::",
        "100:0:0:1::",
        "ff:ffff::",
        "4000::",
        "1fff:ffff::",
        "64:ff9b:1::1",
        "::1:0:0:1",
    ];
    expect(ALWAYS, &reserved, true);
    expect(PRIVATE_TOO, &reserved, false);
}
