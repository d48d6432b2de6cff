use std::net::IpAddr;

use super::{BindError, Listener};

#[tokio::test]
async fn a_busy_port_is_named() {
    let first = Listener::bind("127.0.0.1", 0).unwrap();
    let port = first.local_addr().port();
    let error = Listener::bind("127.0.0.1", port).unwrap_err();
    assert!(matches!(error, BindError::PortInUse(busy) if busy == port));
    assert_eq!(error.to_string(), format!("port {port} is in use"));
}

#[tokio::test]
async fn a_port_is_free_again_at_once() {
    let first = Listener::bind("127.0.0.1", 0).unwrap();
    let port = first.local_addr().port();
    drop(first);
    assert_eq!(Listener::bind("127.0.0.1", port).unwrap().local_addr().port(), port);
}

#[tokio::test]
async fn hosts_are_addresses_or_names() {
    let rows: &[(&str, &str)] = &[("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("localhost", "127.0.0.1")];
    for (host, address) in rows {
        let listener = Listener::bind(host, 0).unwrap();
        assert_eq!(listener.local_addr().ip(), address.parse::<IpAddr>().unwrap(), "{host}");
    }
}

#[tokio::test]
async fn the_unspecified_ipv6_address_takes_both_families() {
    for host in ["::", "[::]"] {
        let listener = match Listener::bind(host, 0) {
            Ok(listener) => listener,
            // A machine without IPv6.
            Err(BindError::Other { .. } | BindError::NotLocal(_)) => return,
            Err(error) => panic!("{host}: {error}"),
        };
        let port = listener.local_addr().port();
        assert!(listener.local_addr().is_ipv6());
        tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    }
}

#[tokio::test]
async fn hosts_that_are_nowhere_are_refused() {
    for host in ["", "[]", "no-such-host.invalid", "256.0.0.1.5"] {
        assert!(matches!(Listener::bind(host, 0), Err(BindError::UnknownHost { .. })), "{host}");
    }
    assert!(matches!(Listener::bind("192.0.2.1", 0), Err(BindError::NotLocal(_))));
}
