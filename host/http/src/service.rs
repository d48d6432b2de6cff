//! What a listener can serve.

use std::convert::Infallible;

use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

use crate::body::RequestBody;

/// An error of an answer's body, as any library has it. It breaks the connection off.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A tower service that answers every request, such as an `axum::Router`. Implemented for all that fit; it is cloned
/// once per request, so a clone should be cheap.
pub trait HttpService:
    Service<Request<RequestBody>, Response = Response<Self::AnswerBody>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
    /// Body of the answers. Its default (an empty body) is sent with status 500 when the service panics.
    type AnswerBody: Body<Data: Buf + Send, Error: Into<BoxError>> + Default + Send + 'static;
}

impl<S, B> HttpService for S
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible, Future: Send> + Clone + Send + 'static,
    B: Body<Data: Buf + Send, Error: Into<BoxError>> + Default + Send + 'static,
{
    type AnswerBody = B;
}
