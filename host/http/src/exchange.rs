//! Between the HTTP library and the service: one request in, one answer out.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::header::{CONNECTION, EXPECT, TRANSFER_ENCODING};
use http::{HeaderValue, Request, Response, StatusCode, Version};
use hyper::body::Incoming;
use hyper_util::service::{TowerToHyperService, TowerToHyperServiceFuture};
use pin_project_lite::pin_project;
use tower_service::Service;

use crate::body::{Paced, RequestBody};
use crate::peer::Peer;
use crate::service::HttpService;
use crate::signals::Signals;

/// The service as the HTTP library calls it, once per request.
#[derive(Debug)]
pub(crate) struct Exchange<S> {
    service: TowerToHyperService<S>,
    peer: Peer,
    signals: Arc<Signals>,
}

impl<S> Exchange<S> {
    pub(crate) fn new(service: S, peer: Peer, signals: Arc<Signals>) -> Self {
        Self { service: TowerToHyperService::new(service), peer, signals }
    }
}

impl<S: HttpService> hyper::service::Service<Request<Incoming>> for Exchange<S> {
    type Response = Response<Paced<S::AnswerBody>>;
    type Error = Infallible;
    type Future = Answer<S>;

    fn call(&self, request: Request<Incoming>) -> Answer<S> {
        let (mut head, body) = request.into_parts();
        // The end of a coded body is not looked for, so nothing can follow it. An HTTP/1.0 client gets one answer
        // whatever it asks for (contract: pipeline §2).
        let last = head.version != Version::HTTP_11 || head.headers.contains_key(TRANSFER_ENCODING);
        self.signals.set_last(last);
        let awaits_continue = head.version == Version::HTTP_11
            && head.headers.get(EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        head.extensions.insert(self.peer.clone());
        let body = RequestBody::new(body, awaits_continue, Arc::clone(&self.signals));
        Answer {
            service: hyper::service::Service::call(&self.service, Request::from_parts(head, body)),
            signals: Arc::clone(&self.signals),
        }
    }
}

pin_project! {
    /// The answer of the service, on its way.
    pub(crate) struct Answer<S>
    where
        S: Service<Request<RequestBody>>,
    {
        #[pin]
        service: TowerToHyperServiceFuture<S, Request<RequestBody>>,
        signals: Arc<Signals>,
    }
}

impl<S: HttpService> Future for Answer<S> {
    type Output = Result<Response<Paced<S::AnswerBody>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // A panic must not take the place of an answer. What it left half done is dropped with the future.
        let polled = catch_unwind(AssertUnwindSafe(|| this.service.poll(cx)));
        let mut response = match polled {
            Ok(polled) => match ready!(polled) {
                Ok(response) => response,
                Err(never) => match never {},
            },
            Err(_) => {
                tracing::error!("a request handler panicked");
                this.signals.set_last(true);
                let mut response = Response::new(S::AnswerBody::default());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                response
            }
        };
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            this.signals.switch();
        } else if this.signals.is_last() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Poll::Ready(Ok(response.map(|body| Paced::new(body, Arc::clone(this.signals)))))
    }
}
