//! Answers of the terminal port, which are few: what comes after the handshake is no HTTP.

use abxd_websocket::handshake::{HandshakeError, VERSION};
use axum::body::Body;
use http::header::{
    ALLOW, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use http::{Response, StatusCode};

use super::respond;

/// The status of a socket in the audit log.
pub const SWITCHED: u16 = 101;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const WEBSOCKET: HeaderValue = HeaderValue::from_static("websocket");

/// The handshake is done.
#[must_use]
pub fn switched(accept: HeaderValue) -> Response<Body> {
    let mut response = respond(StatusCode::SWITCHING_PROTOCOLS, None, Body::empty());
    response.headers_mut().extend([
        (UPGRADE, WEBSOCKET),
        (CONNECTION, HeaderValue::from_static("upgrade")),
        (SEC_WEBSOCKET_ACCEPT, accept),
    ]);
    response
}

/// It is no handshake, or a bad one (contract: terminal, transport limits).
#[must_use]
pub fn no_handshake(error: HandshakeError) -> Response<Body> {
    let (status, header) = match error {
        HandshakeError::NotAsked => (StatusCode::UPGRADE_REQUIRED, Some((UPGRADE, WEBSOCKET))),
        HandshakeError::Version => (StatusCode::UPGRADE_REQUIRED, Some((SEC_WEBSOCKET_VERSION, VERSION))),
        HandshakeError::Key | HandshakeError::Body => (StatusCode::BAD_REQUEST, None),
    };
    plain(status, &error, header)
}

/// Only `GET` opens a socket.
#[must_use]
pub fn not_a_socket_method() -> Response<Body> {
    plain(StatusCode::METHOD_NOT_ALLOWED, &HandshakeError::NotAsked, Some((ALLOW, HeaderValue::from_static("GET"))))
}

fn plain(status: StatusCode, error: &HandshakeError, header: Option<(HeaderName, HeaderValue)>) -> Response<Body> {
    let mut response = respond(status, None, Body::from(format!("{error}\n")));
    response.headers_mut().insert(CONTENT_TYPE, TEXT);
    response.headers_mut().extend(header);
    response
}
