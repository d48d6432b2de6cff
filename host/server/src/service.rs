//! The pipeline as a service of the HTTP layer.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use http::Response;

use crate::server::Server;
use crate::{answer, pipeline};

/// Every request of the HTTP port, whatever its method and path, goes through the pipeline: there are no other routes.
pub fn http(server: Arc<Server>) -> Router {
    Router::new().fallback(enter).with_state(server)
}

async fn enter(State(server): State<Arc<Server>>, request: Request) -> Response<Body> {
    pipeline::serve(server.deployment(), request).await
}

/// The terminal port, as long as the terminal group has no component: every request gets a clear refusal.
pub fn terminal() -> Router {
    Router::new().fallback(|| async { answer::absent_socket() })
}
