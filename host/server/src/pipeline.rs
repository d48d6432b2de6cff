//! The pipeline: what happens to every request, in the one order there is.
//!
//! Each step takes what the step before it made, and only that step can make it: a handler can't be called without a
//! [`Permit`], a permit can't be had without a [`Caller`], a caller not without a [`Route`]. A permit holds the request's
//! place in its limits until the answer has been written.

mod admit;
mod authenticate;
mod body;
mod call;
mod origin;
mod query;
mod refusal;
mod route;

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use http::{Request, Response};

pub use admit::Permit;
pub use authenticate::Caller;
pub use query::Query;
pub use refusal::Refusal;
pub use route::{Route, Unmatched};

use crate::answer::{self, Granted, Place};
use crate::audit::Record;
use crate::deployment::Deployment;

/// Serve one request (contract: pipeline §1).
pub async fn serve(deployment: Arc<Deployment>, request: Request<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    // 1. Match method and path.
    let route = match Route::find(deployment, &head) {
        Ok(route) => route,
        Err(unmatched) => return answer::unmatched(&unmatched),
    };
    let place = Place::of(&route);
    let mut record = Record::begin(&route);
    let outcome = steps(route, head, body, &mut record).await;
    // 7. The audit line follows the last byte of the answer.
    answer::write(outcome, place, record)
}

async fn steps(route: Route, head: http::request::Parts, body: Body, record: &mut Record) -> Result<Granted, Refusal> {
    // 2. Authenticate.
    let caller = Caller::authenticate(route, &head.headers)?;
    record.caller_is(caller.identity());
    // 3. Admit: endpoint on, scopes, rate, concurrency.
    let permit = Permit::admit(caller, Instant::now())?;
    record.is_admitted(&permit);
    // 4. Query.
    let query = Query::parse(&permit, head.uri.query())?;
    // 5. Body: its length is judged before it is read.
    let body = body::Pending::new(body).receive(&permit, &head.headers).await?;
    // 6. Handler.
    let peer = head.extensions.get().cloned();
    let answer = call::call(&permit, query, &head.headers, body, peer.as_ref()).await?;
    Ok(Granted { permit, answer, peer })
}
