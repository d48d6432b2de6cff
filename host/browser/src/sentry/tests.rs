use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use abxd_glob::Glob;
use abxd_guards::url::{AddressRule, Resolver, UrlDenial, UrlRule};
use tokio::time::Instant;

use super::{NoWay, Sentry};

/// Knows a few names; `turning.test` is public when it is first asked for and private ever after.
#[derive(Default)]
struct Names(AtomicUsize);

impl Resolver for Names {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        let found: &[&str] = match (name, asked) {
            ("public.test", _) | ("turning.test", 0) => &["93.184.216.34"],
            ("private.test" | "turning.test", _) => &["10.1.2.3"],
            ("mixed.test", _) => &["10.1.2.3", "93.184.216.34"],
            ("shared.test", _) => &["100.64.0.1"],
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(found.iter().map(|address| address.parse().unwrap()).collect())
    }
}

fn sentry(deny: &[&str], block_private_networks: bool) -> Sentry {
    let deny = deny.iter().map(|glob| Glob::new(glob).unwrap()).collect();
    let rule = UrlRule { allow: None, deny, addresses: AddressRule { block_private_networks } };
    Sentry::new(rule, Arc::new(Names::default()))
}

#[tokio::test]
async fn a_page_is_judged_by_its_text_and_by_where_its_name_leads() {
    let sentry = sentry(&["*/secret*"], false);
    for url in ["http://public.test/", "http://mixed.test/", "http://unknown.test/", "about:blank", "DATA:text/html,x"]
    {
        assert_eq!(sentry.judge_page(url).await, Ok(()), "{url}");
    }
    for (url, denial) in [
        ("http://public.test/secret", UrlDenial::Denied),
        ("http://private.test/", UrlDenial::Address),
        ("http://127.0.0.1/", UrlDenial::Address),
        ("http://localhost/", UrlDenial::Local),
        ("file:///etc/passwd", UrlDenial::NotWeb),
        ("ws://public.test/", UrlDenial::NotWeb),
    ] {
        assert_eq!(sentry.judge_page(url).await, Err(denial), "{url}");
    }
}

#[test]
fn other_requests_are_judged_without_patterns() {
    let sentry = sentry(&["*"], true);
    for url in ["http://public.test/secret", "wss://public.test/", "http://private.test/", "blob:http://x/1"] {
        assert_eq!(sentry.judge_request(url), Ok(()), "{url}");
    }
    for url in ["http://10.0.0.1/", "ws://[::1]/", "chrome://version", "ftp://public.test/", "http://224.0.0.1/"] {
        assert!(sentry.judge_request(url).is_err(), "{url}");
    }
}

#[tokio::test]
async fn a_way_leads_to_addresses_that_pass() {
    let sentry = sentry(&[], false);
    let public = ["93.184.216.34:8080".parse().unwrap()];
    assert_eq!(sentry.way("http://public.test:8080/").await.unwrap(), public);
    assert_eq!(sentry.way("http://mixed.test:8080/").await.unwrap(), public);
    assert_eq!(sentry.way("https://shared.test/").await.unwrap(), ["100.64.0.1:443".parse().unwrap()]);
    assert_eq!(sentry.way("http://unknown.test/").await, Err(NoWay::Unknown));
    for url in ["http://private.test/", "http://127.0.0.1/", "http://[::ffff:10.0.0.1]/"] {
        assert_eq!(sentry.way(url).await, Err(NoWay::Denied(UrlDenial::Address)), "{url}");
    }
}

#[tokio::test]
async fn with_private_networks_blocked_one_such_address_is_enough() {
    let sentry = sentry(&[], true);
    for url in ["http://mixed.test/", "http://shared.test/"] {
        assert_eq!(sentry.way(url).await, Err(NoWay::Denied(UrlDenial::Address)), "{url}");
        assert_eq!(sentry.judge_page(url).await, Err(UrlDenial::Address), "{url}");
    }
}

#[tokio::test]
async fn a_name_that_turns_private_is_still_what_was_judged() {
    let sentry = sentry(&[], true);
    assert_eq!(sentry.judge_page("http://turning.test/").await, Ok(()));
    assert_eq!(sentry.way("http://turning.test/").await.unwrap(), ["93.184.216.34:80".parse().unwrap()]);
}

#[tokio::test]
async fn refusals_are_remembered_by_host_and_port() {
    let sentry = sentry(&[], false);
    let before = Instant::now();
    assert!(!sentry.has_refused("http://private.test/", before));
    sentry.way("http://private.test/x").await.unwrap_err();
    assert!(sentry.has_refused("http://private.test/", before));
    assert!(!sentry.has_refused("http://private.test:81/", before));
    assert!(!sentry.has_refused("http://private.test/", Instant::now() + std::time::Duration::from_secs(1)));
}

#[tokio::test]
async fn another_rule_counts_from_then_on() {
    let sentry = sentry(&[], false);
    assert!(sentry.judge_page("http://public.test/").await.is_ok());
    sentry.set_rule(UrlRule { deny: vec![Glob::new("*public*").unwrap()], ..UrlRule::default() });
    assert_eq!(sentry.judge_page("http://public.test/").await, Err(UrlDenial::Denied));
}
