//! Who listens.

use std::net::{SocketAddr, TcpListener};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use abxd_capabilities::system::listeners;

fn holder(address: SocketAddr) -> Option<u32> {
    let found: Vec<_> = listeners().into_iter().filter(|found| found.address == address).collect();
    assert_eq!(found.len(), 1, "{address}: {found:?}");
    found[0].pid
}

#[test]
fn every_address_is_shown_as_it_is_with_its_process() {
    for address in ["127.0.0.1", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]"] {
        let socket = TcpListener::bind(format!("{address}:0")).unwrap();
        let address = socket.local_addr().unwrap();
        assert_eq!(holder(address), Some(std::process::id()), "{address}");
        drop(socket);
        assert!(listeners().iter().all(|found| found.address != address));
    }
}

#[test]
fn those_of_ipv4_come_first_and_connections_are_none() {
    let four = TcpListener::bind("127.0.0.1:0").unwrap();
    let six = TcpListener::bind("[::1]:0").unwrap();
    let connection = std::net::TcpStream::connect(four.local_addr().unwrap()).unwrap();
    let all = listeners();
    let at = |address| all.iter().position(|found| found.address == address);
    assert!(at(four.local_addr().unwrap()).unwrap() < at(six.local_addr().unwrap()).unwrap());
    assert_eq!(at(connection.local_addr().unwrap()), None);
}

#[test]
fn of_several_holders_the_lowest_is_named() {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let flags = rustix::io::fcntl_getfd(&socket).unwrap();
    rustix::io::fcntl_setfd(&socket, flags - rustix::io::FdFlags::CLOEXEC).unwrap();
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0).spawn().unwrap();
    assert_eq!(holder(address), Some(std::process::id().min(child.id())));
    drop(socket);
    assert_eq!(holder(address), Some(child.id()), "it goes on in the child");
    child.kill().unwrap();
    child.wait().unwrap();
}
