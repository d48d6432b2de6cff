//! Step 6: the handler.

use abxd_http::Peer;
use abxd_plugins::{Answer, Call, Client, InBody, Problem, Request};
use http::HeaderMap;

use super::{Permit, Query, Refusal};
use crate::deployment::Handler;

/// Have the request handled.
///
/// # Errors
/// [`Refusal::Denied`], [`Refusal::Fault`], [`Refusal::Plugin`], [`Refusal::Absent`].
pub(super) async fn call(
    permit: &Permit,
    query: Query,
    headers: &HeaderMap,
    body: InBody,
    peer: Option<&Peer>,
) -> Result<Answer, Refusal> {
    let served = permit.served();
    let request = Request {
        path_params: permit.params().to_vec(),
        query: query.into_pairs(),
        headers: asked_for(&served.entry.declared.headers, headers),
        body,
    };
    let outcome = match &served.handler {
        Handler::Native(native) => native.handle(permit, request).await,
        Handler::Component(plugin) => {
            let call = Call {
                endpoint: served.endpoint.clone(),
                identity: permit.identity().clone(),
                client: client(peer.cloned()),
                trail: permit.trail().clone(),
                commands: permit.deployment().commands.clone(),
            };
            plugin.handle(call, request).await.map_err(Refusal::Plugin)?
        }
        Handler::Absent(reason) => return Err(Refusal::Absent(reason.clone())),
    };
    outcome.map_err(|problem| match problem {
        Problem::Denied(denial) => Refusal::Denied(denial),
        Problem::Fault(fault) => Refusal::Fault(fault),
    })
}

/// The peer, as imports see it.
fn client(peer: Option<Peer>) -> Client {
    let Some(peer) = peer else { return Client::that_stays() };
    Client::new(move || {
        let peer = peer.clone();
        Box::pin(async move { peer.left().await })
    })
}

/// The headers that the manifest asks for, and no others. Values of one name are joined as RFC 9110 §5.2 has it; bytes
/// that are not UTF-8 become U+FFFD.
fn asked_for(names: &[String], headers: &HeaderMap) -> Vec<(String, String)> {
    let mut asked = Vec::with_capacity(names.len());
    for name in names {
        let mut values = headers.get_all(name).into_iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        if let Some(first) = values.next() {
            let joined = values.fold(first.into_owned(), |joined, value| joined + ", " + &value);
            asked.push((name.clone(), joined));
        }
    }
    asked
}
