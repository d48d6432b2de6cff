//! abxd-tests.
