//! Causes to statuses, codes and types: the table of pipeline §7.

use std::sync::Arc;

use abxd_body::BodyError;
use abxd_manifest::MALFORMED;
use abxd_plugins::PluginError;
use abxd_plugins::instance::PoolError;
use http::StatusCode;

use crate::pipeline::Refusal;

/// The status.
pub(super) fn of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Unauthorized => StatusCode::UNAUTHORIZED,
        Refusal::Disabled(_) => StatusCode::NOT_FOUND,
        Refusal::CrossOrigin | Refusal::MissingScope { .. } => StatusCode::FORBIDDEN,
        Refusal::Exhausted(_) => StatusCode::TOO_MANY_REQUESTS,
        Refusal::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::Body(BodyError::TooSlow { .. }) => StatusCode::REQUEST_TIMEOUT,
        Refusal::AmbiguousCredentials
        | Refusal::DuplicateParameter
        | Refusal::TransferEncoding
        | Refusal::ContentEncoding
        | Refusal::BadLength
        | Refusal::Body(_)
        | Refusal::Json(_) => StatusCode::BAD_REQUEST,
        Refusal::Denied(denial) if is_malformed(&denial.code) => StatusCode::BAD_REQUEST,
        Refusal::Denied(_) => StatusCode::FORBIDDEN,
        Refusal::Fault(fault) => error_status(fault.status),
        Refusal::Absent(_) | Refusal::Plugin(PluginError::Unavailable(_) | PluginError::BackingOff { .. }) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Refusal::Plugin(PluginError::OutOfTime) => StatusCode::GATEWAY_TIMEOUT,
        Refusal::Plugin(_) | Refusal::Interrupted | Refusal::BadAnswer => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A handler's own error is an error: anything else that it calls one is the server's.
fn error_status(status: u16) -> StatusCode {
    match StatusCode::from_u16(status) {
        Ok(status) if status.is_client_error() || status.is_server_error() => status,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Refusals of guards that say "this is not a value", not "this is not allowed".
fn is_malformed(code: &str) -> bool {
    MALFORMED.contains(&code)
}

/// The `type`.
pub(super) fn kind(refusal: &Refusal) -> &str {
    match refusal {
        Refusal::Unauthorized => "AuthError",
        Refusal::MissingScope { .. } | Refusal::CrossOrigin => "PolicyDenied",
        Refusal::Exhausted(_) => "RateLimited",
        Refusal::Denied(denial) if !is_malformed(&denial.code) => "PolicyDenied",
        Refusal::Fault(fault) => &fault.kind,
        Refusal::Body(BodyError::TooSlow { .. }) | Refusal::Plugin(PluginError::OutOfTime) => "TimeoutError",
        Refusal::Plugin(_) | Refusal::Absent(_) | Refusal::Interrupted | Refusal::BadAnswer => "RuntimeError",
        Refusal::AmbiguousCredentials
        | Refusal::Disabled(_)
        | Refusal::DuplicateParameter
        | Refusal::TransferEncoding
        | Refusal::ContentEncoding
        | Refusal::BadLength
        | Refusal::TooLarge { .. }
        | Refusal::Body(_)
        | Refusal::Json(_)
        | Refusal::Denied(_) => "ValueError",
    }
}

/// The `code`.
pub(super) fn code(refusal: &Refusal) -> Option<String> {
    let code = match refusal {
        Refusal::Unauthorized => "unauthorized",
        Refusal::AmbiguousCredentials => "ambiguous_credentials",
        Refusal::CrossOrigin => "cross_origin_denied",
        Refusal::Disabled(_) => "endpoint_disabled",
        Refusal::MissingScope { .. } => "missing_scope",
        Refusal::Exhausted(abxd_policy::Exhausted::Rate { .. }) => "rate_limited",
        Refusal::Exhausted(abxd_policy::Exhausted::Concurrency) => "concurrency_limited",
        Refusal::DuplicateParameter => "duplicate_parameter",
        Refusal::TransferEncoding | Refusal::ContentEncoding => "unsupported_encoding",
        Refusal::TooLarge { .. } => "payload_too_large",
        Refusal::BadLength | Refusal::Body(_) | Refusal::Json(_) => "bad_body",
        Refusal::Denied(denial) => &denial.code,
        Refusal::Fault(fault) => return fault.code.clone(),
        Refusal::Plugin(PluginError::OutOfTime) => "plugin_timeout",
        Refusal::Absent(_) | Refusal::Plugin(PluginError::Unavailable(_) | PluginError::BackingOff { .. }) => {
            "plugin_unavailable"
        }
        Refusal::Plugin(_) | Refusal::BadAnswer => "plugin_failed",
        Refusal::Interrupted => return None,
    };
    Some(code.to_owned())
}

/// What the operator should know and the client must not: why a plugin broke down.
pub(super) fn log(endpoint: &Arc<str>, refusal: &Refusal) {
    if let Refusal::Plugin(error) = refusal {
        let cause = match error {
            PluginError::Failed(cause) | PluginError::Unavailable(PoolError::Start(cause)) => format!("{cause:?}"),
            other => other.to_string(),
        };
        tracing::error!(endpoint = &**endpoint, cause, "the plugin gave no answer");
    }
}
