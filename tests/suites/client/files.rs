//! File operations.

use serde_json::json;

use super::{check, setup};
use crate::harness::Setup;

#[test]
fn every_method_of_the_client_works() {
    check(&setup().start(), "files.py", "every_method");
}

/// A server that refuses what can be refused.
fn strict() -> Setup {
    let upload = json!({"params": {"overwrite": false}, "limits": {"max_bytes": 100}});
    let policy = json!({"endpoints": {"files_upload_stream": upload, "files_search": {"enabled": false}}});
    setup().policy(&policy)
}

#[test]
fn refusals_are_the_clients_errors() {
    check(&strict().start(), "files.py", "errors");
}

#[test]
fn what_the_client_discovers_is_so() {
    check(&strict().start(), "files.py", "discovery");
}
