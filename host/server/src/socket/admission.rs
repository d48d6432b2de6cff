//! The checks before a client gets its terminal, in the contract's order (terminal, WebSocket protocol).

use std::time::Instant;

use abxd_capabilities::terminal::{Attachment, Caller as Owner, Terminals};
use http::request::Parts;

use super::refusal::Refused;
use crate::audit::Record;
use crate::deployment::Handler;
use crate::pipeline::{Caller, Permit, Route};

/// A client that may have its terminal.
pub(super) struct Admitted {
    pub(super) permit: Permit,
    pub(super) attachment: Attachment,
}

/// Ask everything that can refuse a client.
///
/// # Errors
/// The first thing that does.
pub(super) fn admit(
    route: Route,
    head: &Parts,
    terminals: &Terminals,
    record: &mut Record,
) -> Result<Admitted, Refused> {
    let query = Query::of(head.uri.query().unwrap_or_default());
    // 1. Somebody serves terminals.
    if let Handler::Absent(_) = route.served().handler {
        return Err(Refused::NotReady);
    }
    // 2. Who is it.
    let caller = Caller::authenticate_socket(route, &head.headers, query.token.as_deref())?;
    record.caller_is(caller.identity());
    // 3, 4, 4a. The endpoint is on, its scopes are held, its limits have room.
    let permit = Permit::admit(caller, Instant::now())?;
    record.is_admitted(&permit);
    // 5, 6. There is such a session, and it is the caller's to see.
    let id = query.session.ok_or(Refused::MissingSession)?;
    let identity = permit.identity();
    let owner = Owner { id: identity.id().clone(), sees_all: identity.scopes().holds_everything() };
    match terminals.attach(&owner, &id) {
        Some(attachment) => Ok(Admitted { permit, attachment }),
        None => Err(Refused::UnknownSession(id)),
    }
}

/// What counts of a query: of each name the first value that is not blank.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query {
    session: Option<String>,
    token: Option<String>,
}

impl Query {
    fn of(raw: &str) -> Self {
        let mut query = Self::default();
        for (name, value) in form_urlencoded::parse(raw.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            let slot = match &*name {
                "session_id" => &mut query.session,
                "token" => &mut query.token,
                _ => continue,
            };
            slot.get_or_insert_with(|| value.into_owned());
        }
        query
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn the_first_value_that_is_not_blank_counts() {
        let query = |session: Option<&str>, token: Option<&str>| Query {
            session: session.map(str::to_owned),
            token: token.map(str::to_owned),
        };
        for (raw, expected) in [
            ("", query(None, None)),
            ("session_id=a&token=t", query(Some("a"), Some("t"))),
            ("session_id=a&session_id=b", query(Some("a"), None)),
            ("session_id=&session_id=b", query(Some("b"), None)),
            ("session%5Fid=%61&other=x&token", query(Some("a"), None)),
            ("Session_id=a", query(None, None)),
            ("token=a+b%FF", query(None, Some("a b\u{fffd}"))),
        ] {
            assert_eq!(Query::of(raw), expected, "{raw}");
        }
    }
}
