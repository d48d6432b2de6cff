//! Terminals.

use super::{check, setup};

#[test]
fn every_method_of_the_client_works() {
    check(&setup().start(), "terminals.py", "every_method");
}

#[test]
fn refusals_are_the_clients_errors() {
    check(&setup().start(), "terminals.py", "errors");
}
