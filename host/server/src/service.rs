//! The pipeline as a service of the HTTP layer.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use http::Response;

use crate::pipeline;
use crate::server::Server;
use crate::socket::Sockets;

/// Every request of the HTTP port, whatever its method and path, goes through the pipeline: there are no other routes.
pub fn http(server: Arc<Server>) -> Router {
    Router::new().fallback(enter).with_state(server)
}

async fn enter(State(server): State<Arc<Server>>, request: Request) -> Response<Body> {
    pipeline::serve(server.deployment(), request).await
}

/// Every request of the terminal port asks for a socket, whatever its path is.
pub fn terminal(sockets: Sockets) -> Router {
    Router::new().fallback(attach).with_state(sockets)
}

async fn attach(State(sockets): State<Sockets>, request: Request) -> Response<Body> {
    sockets.serve(request)
}
