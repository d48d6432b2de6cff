//! abxd-policy.
