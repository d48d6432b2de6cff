//! abxd-capabilities.
