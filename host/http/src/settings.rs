//! What an operator may tune on a listener. The defaults are the contract's.

use std::time::Duration;

/// Limits and time limits of one listener. They hold per connection, except [`max_connections`](Self::max_connections).
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Longest wait for a whole request head, from its first byte. Also how long a fresh connection may stay silent
    /// (contract: pipeline §2).
    pub head_timeout: Duration,
    /// Longest silence between two requests of one connection (contract: pipeline §2).
    pub idle_timeout: Duration,
    /// Longest wait for the next byte of a declared body (contract: pipeline §2). The reader of the body gets
    /// [`BodyError::Idle`](crate::BodyError::Idle).
    pub body_idle_timeout: Duration,
    /// Longest time in which a client takes not one byte of its answer. The connection is then reset.
    pub write_stall_timeout: Duration,
    /// How long the rest of an unread body may take to arrive before the connection is given up
    /// (contract: pipeline §2).
    pub discard_timeout: Duration,
    /// How long requests in flight may go on once the server stops (contract: cli, signals).
    pub grace: Duration,
    /// Bytes that the system keeps of what was written and the client has not taken; `None`: as many as the system
    /// finds right.
    pub send_buffer: Option<usize>,
    /// Open connections of the listener. At the limit the connection that has been idle longest makes room, or, where none
    /// is idle, one that has been sending its head for more than a second; while there is none of these, new ones wait in
    /// the backlog.
    pub max_connections: usize,
    /// Longest request line in bytes, line end not counted (contract: pipeline §2). Answer: 414.
    pub max_request_line: usize,
    /// Longest header line in bytes, line end not counted (contract: pipeline §2). Answer: 431.
    pub max_header_line: usize,
    /// Most header lines of a request (contract: pipeline §2). Answer: 431.
    pub max_headers: usize,
    /// Most bytes of a whole request head; what bounds the memory of a connection that only sends. Answer: 431.
    pub max_head_bytes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            head_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(75),
            body_idle_timeout: Duration::from_secs(30),
            write_stall_timeout: Duration::from_secs(120),
            discard_timeout: Duration::from_secs(1),
            grace: Duration::from_secs(5),
            send_buffer: None,
            max_connections: 4096,
            max_request_line: 65_536,
            max_header_line: 65_536,
            max_headers: 100,
            max_head_bytes: 256 * 1024,
        }
    }
}
