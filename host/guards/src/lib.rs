//! abxd-guards.
