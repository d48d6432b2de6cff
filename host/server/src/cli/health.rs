//! `abxd healthcheck`.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::HealthArgs;

/// The longest answer head that is looked at, in bytes.
const LONGEST: u64 = 4096;

/// Exit code 0 if `/health` answers 200 in time, else 1. Silent.
pub(super) fn check(args: &HealthArgs) -> ExitCode {
    match is_healthy(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(_) => ExitCode::FAILURE,
    }
}

fn is_healthy(args: &HealthArgs) -> io::Result<bool> {
    let port = u16::try_from(args.port).map_err(io::Error::other)?;
    let timeout = Duration::try_from_secs_f64(args.timeout).map_err(io::Error::other)?;
    let end = Instant::now().checked_add(timeout).ok_or(io::ErrorKind::InvalidInput)?;
    let host = args.host.trim_matches(['[', ']']);
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left(end)?) {
            Ok(stream) => return ask(stream, end),
            Err(cause) => last = cause,
        }
    }
    Err(last)
}

fn ask(mut stream: TcpStream, end: Instant) -> io::Result<bool> {
    stream.set_write_timeout(Some(left(end)?))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut head = Vec::new();
    while !head.contains(&b'\n') && head.len() as u64 <= LONGEST {
        stream.set_read_timeout(Some(left(end)?))?;
        let mut part = [0; 512];
        let read = stream.read(&mut part)?;
        head.extend(part.iter().take(read));
        if read == 0 {
            break;
        }
    }
    let status = head.split(|byte| *byte == b' ').nth(1);
    Ok(head.starts_with(b"HTTP/1.") && status == Some(b"200"))
}

/// Time until `end`; an error when there is none.
fn left(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}
